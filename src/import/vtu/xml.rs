//! As much XML as VTU files use: tags and attributes, borrowed. No entities, no document types, no recursion.

use crate::import::ImportError;
use crate::import::error::quoted;
use crate::import::tokens::{Token, Tokens};

/// A tag.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    /// Its name, after the slash of an end tag.
    pub name: &'a [u8],
    /// `</name>`.
    pub end: bool,
    /// `<name/>`.
    pub empty: bool,
    /// Byte offset of its `<`.
    pub at: usize,
    attributes: &'a [u8],
}

impl<'a> Tag<'a> {
    /// The value of an attribute, as it stands.
    pub fn attribute(&self, name: &str) -> Option<&'a [u8]> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_ascii_start();
            let equals = rest.iter().position(|&byte| byte == b'=')?;
            let key = rest[..equals].trim_ascii_end();
            rest = rest[equals + 1..].trim_ascii_start();
            let (&quote, after) = rest.split_first()?;
            if quote != b'"' && quote != b'\'' {
                return None;
            }
            let length = after.iter().position(|&byte| byte == quote)?;
            if key == name.as_bytes() {
                return Some(&after[..length]);
            }
            rest = &after[length + 1..];
        }
    }
}

/// A place in a document.
#[derive(Debug, Clone, Copy)]
pub struct Xml<'a> {
    /// The whole file, for errors.
    pub tokens: Tokens<'a>,
}

impl<'a> Xml<'a> {
    /// The beginning of a document.
    pub fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        Self {
            tokens: Tokens::new(format, bytes),
        }
    }

    /// The text before the next tag, which may be empty, and the tag; none at the end of the file. Of a text with
    /// comments inside only the first part with words counts.
    pub fn next(&mut self) -> Result<(Token<'a>, Option<Tag<'a>>), ImportError> {
        let mut text = self.text();
        loop {
            let at = self.tokens.at();
            let rest = self.tokens.rest();
            if rest.is_empty() {
                return Ok((text, None));
            }
            let aside = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
                .into_iter()
                .find(|(opening, _)| rest.starts_with(opening.as_bytes()));
            if let Some((opening, closing)) = aside {
                let length = rest[opening.len()..]
                    .windows(closing.len())
                    .position(|window| window == closing.as_bytes())
                    .ok_or_else(|| {
                        self.tokens
                            .malformed(at, format!("{opening} without {closing}"))
                    })?;
                self.tokens.advance(opening.len() + length + closing.len());
                let more = self.text();
                if text.text.trim_ascii().is_empty() {
                    text = more;
                }
                continue;
            }
            if rest.starts_with(b"<!") {
                return Err(self.tokens.unsupported(
                    at,
                    "XML document types and entities are not read".to_owned(),
                ));
            }
            return Ok((text, Some(self.tag(at, rest)?)));
        }
    }

    fn text(&mut self) -> Token<'a> {
        let at = self.tokens.at();
        let rest = self.tokens.rest();
        let length = rest
            .iter()
            .position(|&byte| byte == b'<')
            .unwrap_or(rest.len());
        self.tokens.advance(length);
        Token {
            text: &rest[..length],
            at,
        }
    }

    fn tag(&mut self, at: usize, rest: &'a [u8]) -> Result<Tag<'a>, ImportError> {
        let mut quote = None;
        let mut length = None;
        for (n, &byte) in rest.iter().enumerate().skip(1) {
            match (quote, byte) {
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                (None, b'>') => {
                    length = Some(n);
                    break;
                }
                (None, b'<') => break,
                _ => {}
            }
        }
        let Some(length) = length else {
            return Err(self
                .tokens
                .malformed(at, format!("a tag that is not closed: {}", quoted(rest))));
        };
        self.tokens.advance(length + 1);
        let inner = &rest[1..length];
        let (inner, end) = match inner.strip_prefix(b"/") {
            Some(inner) => (inner, true),
            None => (inner, false),
        };
        let (inner, empty) = match inner.strip_suffix(b"/") {
            Some(inner) => (inner, true),
            None => (inner, false),
        };
        let name = inner
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(inner.len());
        if name == 0 {
            let token = Token { text: rest, at };
            return Err(self.tokens.unexpected(token, "the name of a tag"));
        }
        Ok(Tag {
            name: &inner[..name],
            end,
            empty,
            at,
            attributes: &inner[name..],
        })
    }
}
