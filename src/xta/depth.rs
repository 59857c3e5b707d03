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
    after_operand: bool,
    after_statement: bool,
}

impl Depth {
    pub fn next(&mut self, token: Token) -> Result<(), TooDeep> {
        if self.after_statement && token != Token::Else {
            self.weight = self.outer();
        }
        self.after_statement = matches!(token, Token::Semicolon | Token::CloseBrace);
        self.weight += weight(token, self.after_operand);
        match token {
            Token::OpenParen | Token::OpenBracket | Token::OpenBrace => {
                self.open.push(self.weight);
            }
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => {
                self.weight = self.open.pop().unwrap_or(0);
            }
            Token::Comma => self.weight = self.outer(),
            _ => {}
        }
        self.after_operand = ends_operand(token);
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
fn weight(token: Token, after_operand: bool) -> u32 {
    use Token::*;
    match token {
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

fn ends_operand(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Name(_)
            | Number(_)
            | True
            | False
            | Deadlock
            | Inf
            | Sup
            | CloseParen
            | CloseBracket
            | Prime
    )
}
