//! The tokens of expressions in specs: numbers, quantities such as `2h30m`, names, operators.

use crate::Exact;
use crate::phrase::{self, LexError};
use logos::Logos;

#[derive(Logos, Clone, Debug, PartialEq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n]+")]
pub enum Token<'s> {
    #[regex(r"[0-9]+(\.[0-9]+)?|\.[0-9]+", |lexer| phrase::number(lexer.slice()), priority = 5)]
    Number(Exact),
    /// In seconds.
    #[regex(r"[0-9.]+[\p{Alphabetic}_][\p{Alphabetic}_0-9.]*", |lexer| phrase::quantity(lexer.slice()))]
    Quantity(Exact),
    #[regex(r"[\p{Alphabetic}_][\p{Alphabetic}_0-9]*")]
    Name(&'s str),
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
}
