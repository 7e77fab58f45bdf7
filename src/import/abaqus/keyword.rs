//! Lines of an Abaqus file: keywords with their parameters, data, comments.

use super::{Token, Tokens};

/// A keyword line with its continuations.
#[derive(Debug, Clone, Copy)]
pub struct Keyword<'a> {
    /// After the star.
    text: &'a [u8],
    /// Byte offset of the star.
    pub at: usize,
}

fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"**")
}

impl<'a> Keyword<'a> {
    /// The next keyword; data lines before it are passed over.
    pub fn next(tokens: &mut Tokens<'a>) -> Option<Self> {
        while !tokens.rest().is_empty() {
            let line = tokens.line();
            let Some(text) = line
                .text
                .strip_prefix(b"*")
                .filter(|_| !is_comment(line.text))
            else {
                continue;
            };
            let mut end = line.at + line.text.len();
            let mut last = text;
            // A comma at the end of the line goes on in the next.
            while last.trim_ascii_end().ends_with(b",") && !tokens.rest().is_empty() {
                if tokens.rest().starts_with(b"*") {
                    break;
                }
                let next = tokens.line();
                last = next.text;
                end = next.at + next.text.len();
            }
            let whole = tokens.moved(line.at + 1).rest();
            return Some(Self {
                text: &whole[..end - line.at - 1],
                at: line.at,
            });
        }
        None
    }

    /// Whether it is this keyword, in capitals; case and blanks do not matter.
    pub fn is(&self, name: &str) -> bool {
        let own = self
            .text
            .split(|&byte| byte == b',')
            .next()
            .unwrap_or_default();
        let letters = |text: &'a [u8]| text.iter().filter(|byte| !byte.is_ascii_whitespace());
        letters(own)
            .map(u8::to_ascii_uppercase)
            .eq(name.bytes().filter(|&byte| byte != b' '))
    }

    /// The value of a parameter without its quotes; empty for one that has none.
    pub fn parameter(&self, name: &str) -> Option<&'a [u8]> {
        self.text
            .split(|&byte| byte == b',')
            .skip(1)
            .find_map(|parameter| {
                let mut sides = parameter.splitn(2, |&byte| byte == b'=');
                let key = sides.next()?.trim_ascii();
                let value = sides.next().unwrap_or_default().trim_ascii();
                let value = value
                    .strip_prefix(b"\"")
                    .and_then(|value| value.strip_suffix(b"\""))
                    .unwrap_or(value);
                key.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
            })
    }
}

/// The next data line; none where a keyword or the end of the file follows.
pub fn data_line<'a>(tokens: &mut Tokens<'a>) -> Option<Token<'a>> {
    while !tokens.rest().is_empty() {
        if tokens.rest().starts_with(b"*") && !is_comment(tokens.rest()) {
            return None;
        }
        let line = tokens.line();
        if !is_comment(line.text) && !line.text.trim_ascii().is_empty() {
            return Some(line);
        }
    }
    None
}

/// Where the next keyword stands.
pub fn data_end(tokens: &Tokens) -> usize {
    let mut ahead = *tokens;
    while data_line(&mut ahead).is_some() {}
    ahead.at()
}

/// What stands between commas, without blanks.
pub fn fields(line: Token) -> impl Iterator<Item = Token> {
    let mut at = line.at;
    line.text.split(|&byte| byte == b',').map(move |field| {
        let blanks = field.len() - field.trim_ascii_start().len();
        let token = Token {
            text: field.trim_ascii(),
            at: at + blanks,
        };
        at += field.len() + 1;
        token
    })
}
