//! The tokens of the textual language and of queries: text to words, without white space and
//! comments. Takes nothing from the rest of the house; the grammar beside it names each token.

use logos::{Lexer, Logos};

/// Why a stretch of text is no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexError {
    #[default]
    UnknownCharacter,
    /// A name with letters beyond ASCII, or one that begins with a digit.
    MalformedName,
    NumberTooLarge,
    /// A number with a decimal point.
    RealNumber,
    UnterminatedComment,
}

/// One word of the text. Both spellings of an operator are one token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = LexError)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip r"\\[ \t]*\r?\n")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum Token<'s> {
    // Said by the caller, never by the text: what kind of text follows.
    StartModel,
    StartParameters,
    StartSelect,
    StartCondition,
    StartSync,
    StartUpdate,
    StartExpr,
    StartQuery,
    StartName,

    #[regex("[A-Za-z_][A-Za-z0-9_$#]*")]
    Name(&'s str),
    // Arrows and mathematical signs beyond ASCII are no letters; neither is white space.
    #[regex(r"[A-Za-z0-9_[^\x00-\x7F\u{A0}-\u{BF}\u{2000}-\u{2BFF}\u{3000}-\u{303F}\u{FEFF}]][A-Za-z0-9_$#[^\x00-\x7F\u{A0}-\u{BF}\u{2000}-\u{2BFF}\u{3000}-\u{303F}\u{FEFF}]]*", malformed_name, priority = 1)]
    MalformedName,
    #[regex("[0-9]+", number)]
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?", |_| Err(LexError::RealNumber))]
    Number(i64),

    #[token("const")]
    Const,
    #[token("meta")]
    Meta,
    #[token("urgent")]
    Urgent,
    #[token("broadcast")]
    Broadcast,
    #[token("int")]
    Int,
    #[token("bool")]
    Bool,
    #[token("clock")]
    Clock,
    #[token("chan")]
    Chan,
    #[token("void")]
    Void,
    #[token("scalar")]
    Scalar,
    #[token("struct")]
    Struct,
    #[token("typedef")]
    Typedef,

    #[token("process")]
    Process,
    #[token("state")]
    State,
    #[token("commit")]
    Commit,
    #[token("init")]
    Init,
    #[token("trans")]
    Trans,
    #[token("select")]
    Select,
    #[token("guard")]
    Guard,
    #[token("sync")]
    Sync,
    #[token("assign")]
    Assign,
    #[token("system")]
    System,
    #[token("priority")]
    Priority,
    #[token("default")]
    Default,
    #[token("progress")]
    Progress,
    #[token("gantt")]
    Gantt,
    #[token("before_update")]
    BeforeUpdate,
    #[token("after_update")]
    AfterUpdate,

    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("for")]
    For,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("return")]
    Return,

    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("deadlock")]
    Deadlock,
    #[token("forall")]
    Forall,
    #[token("exists")]
    Exists,
    #[token("sum")]
    Sum,

    #[token("inf")]
    Inf,
    #[token("sup")]
    Sup,
    #[regex(r"E[ \t]*<>")]
    Possibly,
    #[regex(r"A[ \t]*\[\]")]
    Invariantly,
    #[regex(r"E[ \t]*\[\]")]
    PotentiallyAlways,
    #[regex(r"A[ \t]*<>")]
    Eventually,
    #[token("-->")]
    LeadsTo,

    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("'")]
    Prime,
    #[token("->")]
    Arrow,
    #[token("?")]
    Question,

    #[token("=")]
    #[token(":=")]
    Set,
    #[token("+=")]
    AddSet,
    #[token("-=")]
    SubSet,
    #[token("*=")]
    MulSet,
    #[token("/=")]
    DivSet,
    #[token("%=")]
    ModSet,
    #[token("&=")]
    AndSet,
    #[token("|=")]
    OrSet,
    #[token("^=")]
    XorSet,
    #[token("<<=")]
    ShiftLeftSet,
    #[token(">>=")]
    ShiftRightSet,

    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("!")]
    Exclamation,
    #[token("not")]
    Not,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("<?")]
    Min,
    #[token(">?")]
    Max,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("=<")]
    LessEqual,
    #[token(">=")]
    #[token("=>")]
    GreaterEqual,
    #[token(">")]
    Greater,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("&")]
    Ampersand,
    #[token("^")]
    Caret,
    #[token("|")]
    Pipe,
    #[token("&&")]
    #[token("and")]
    And,
    #[token("||")]
    #[token("or")]
    Or,
    #[token("imply")]
    Imply,

    /// Skips the whole comment; a comment that never ends is the error.
    #[token("/*", comment)]
    Comment,
}

impl Token<'_> {
    /// Whether a word has a meaning of its own, so that it cannot be a name.
    pub fn is_keyword(word: &str) -> bool {
        let token = Token::lexer(word).next();
        !matches!(token, Some(Ok(Token::Name(_) | Token::Inf | Token::Sup)) | Some(Err(_)) | None)
    }
}

fn malformed_name<'s>(_: &mut Lexer<'s, Token<'s>>) -> Result<(), LexError> {
    Err(LexError::MalformedName)
}

fn number<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Result<i64, LexError> {
    lexer.slice().parse().map_err(|_| LexError::NumberTooLarge)
}

fn comment<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Result<logos::Skip, LexError> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            Ok(logos::Skip)
        }
        None => {
            lexer.bump(lexer.remainder().len());
            Err(LexError::UnterminatedComment)
        }
    }
}
