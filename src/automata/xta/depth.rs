//! A guard over the tokens that keeps every syntax tree shallow, whatever the input: it counts
//! how deep the tree of the text read so far can be, and says when that is too much.
//!
//! Trees are boxes in boxes, and dropping, comparing, printing or compiling one walks it
//! recursively; a tree as tall as a hostile file is long would overflow the stack. Counting
//! tokens is cruder than measuring trees, but it also keeps the parser's own stack short.

use super::tokens::Token;

/// How many brackets may be open at once.
pub const MAX_BRACKETS: usize = 200;
/// How much weight may stand between two separators (see [`weight`]).
const MAX_WEIGHT: u32 = 4000;
/// Operators that group to the right and statements within statements grow the parser's stack.
const HEAVY: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooDeep {
    Brackets,
    Operators,
}

/// Follows the tokens of one text.
#[derive(Default)]
pub struct Depth {
    weight: u32,
    /// The weight at each bracket that is open.
    open: Vec<u32>,
    /// The weight after the last word that begins a statement.
    statement: u32,
    last: Option<Last>,
}

/// What the token before was, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Operand,
    Semicolon,
    CloseBrace,
    Else,
}

impl Depth {
    pub fn next(&mut self, token: Token) -> Result<(), TooDeep> {
        self.weight = match self.last {
            // What follows an `else` lies within the `if`; the statement before it is done.
            Some(Last::Semicolon) if token == Token::Else => self.statement,
            Some(Last::CloseBrace) if token == Token::Else => self.weight,
            Some(Last::Semicolon | Last::CloseBrace) => self.outer(),
            _ => self.weight,
        };
        self.weight += weight(token, self.last);
        match token {
            Token::OpenParen | Token::OpenBracket | Token::OpenBrace => {
                self.open.push(self.weight);
            }
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => {
                self.weight = self.open.pop().unwrap_or(0);
            }
            Token::Comma => self.weight = self.outer(),
            Token::If | Token::Else | Token::For | Token::While | Token::Do => {
                self.statement = self.weight;
            }
            _ => {}
        }
        self.last = last(token);
        if self.open.len() > MAX_BRACKETS {
            Err(TooDeep::Brackets)
        } else if self.weight > MAX_WEIGHT {
            Err(TooDeep::Operators)
        } else {
            Ok(())
        }
    }

    fn outer(&self) -> u32 {
        self.open.last().copied().unwrap_or(0)
    }
}

/// How many levels a token can add to the tree.
fn weight(token: Token, last: Option<Last>) -> u32 {
    use Token::*;
    let after_operand = last == Some(Last::Operand);
    match token {
        If if last == Some(Last::Else) => 0,
        Question | Forall | Exists | Sum | If | Else | For | While | Do => HEAVY,
        Set | AddSet | SubSet | MulSet | DivSet | ModSet | AndSet | OrSet | XorSet
        | ShiftLeftSet | ShiftRightSet => HEAVY,
        Not | Const | Meta | Urgent | Broadcast => HEAVY,
        Exclamation | Plus | Minus | Increment | Decrement if !after_operand => HEAVY,
        OpenParen | OpenBracket if after_operand => 1,
        Plus | Minus | Increment | Decrement | Dot | Prime | Star | Slash | Percent | ShiftLeft
        | ShiftRight | Min | Max | Less | LessEqual | GreaterEqual | Greater | Equal | NotEqual
        | Ampersand | Caret | Pipe | And | Or | Imply => 1,
        _ => 0,
    }
}

fn last(token: Token) -> Option<Last> {
    use Token::*;
    match token {
        Name(_) | Number(_) | True | False | Deadlock | Inf | Sup | CloseParen | CloseBracket
        | Prime => Some(Last::Operand),
        Semicolon => Some(Last::Semicolon),
        CloseBrace => Some(Last::CloseBrace),
        Else => Some(Last::Else),
        _ => None,
    }
}
