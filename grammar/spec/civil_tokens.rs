//! The tokens of civil time in specs: dates, times of day, weekdays.

use crate::phrase::LexError;
use logos::Logos;

#[derive(Logos, Clone, Debug, PartialEq)]
#[logos(error = LexError)]
pub enum Token<'s> {
    #[regex(r"[0-9]+")]
    Digits(&'s str),
    #[regex(r"[\p{Alphabetic}_]+", priority = 1)]
    Word(&'s str),
    #[token("T")]
    T,
    #[token("-")]
    Dash,
    #[token(":")]
    Colon,
    #[token("..")]
    To,
    #[token(",")]
    Comma,
    #[token("+")]
    Plus,
    #[regex(r"[ \t\r\n]+")]
    Space,
}
