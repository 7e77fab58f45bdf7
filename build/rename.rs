//! Short names for what shaders declare. Used by the build script; a test checks that modules differ in names alone.
//!
//! One table serves all files, because they are joined at run time: a name becomes the same short one wherever it stands,
//! whatever it means there, and no two become the same. What the host or the language knows by name stays as it is.

use std::collections::{BTreeMap, BTreeSet};

/// Words of the language that stand neither before a bracket nor behind `@`, so that nothing else tells them from names.
const WORDS: [&str; 12] = [
    "default",
    "function",
    "private",
    "read",
    "read_write",
    "storage",
    "uniform",
    "workgroup",
    "write",
    "fract",
    "whole",
    "exp",
];

/// `text` cut into names, numbers and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let number = first.is_ascii_digit();
        let end = match word(first) {
            true => rest
                .find(|c| !(word(c) || number && c == '.'))
                .unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        found.push(token);
        rest = after;
    }
    found
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Whether the token at `index` is an attribute or in its brackets, where only `@workgroup_size` takes names of ours.
fn in_attribute(tokens: &[&str], index: usize) -> bool {
    let before = |back: usize| index.checked_sub(back).map_or("", |at| tokens[at]);
    before(1) == "@" || before(1) == "(" && before(3) == "@" && before(2) != "workgroup_size"
}

/// Short names by the names in the stripped `texts` that may be replaced.
pub fn short_names(texts: &[String]) -> BTreeMap<String, String> {
    let mut declared = BTreeSet::new();
    let mut kept: BTreeSet<&str> = WORDS.into();
    let mut callable = BTreeSet::new();
    let mut called = BTreeSet::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        // Spaces separate words; nothing else is left of them after stripping.
        let tokens: Vec<&str> = tokens(text)
            .into_iter()
            .filter(|token| !token.trim().is_empty())
            .collect();
        let mut entry_point = false;
        for (index, &token) in tokens.iter().enumerate() {
            let next = tokens.get(index + 1).copied().unwrap_or_default();
            if in_attribute(&tokens, index) {
                entry_point |= ["compute", "vertex", "fragment"].contains(&token);
                continue;
            }
            if !is_name(token) {
                continue;
            }
            *counts.entry(token).or_default() += 1;
            if next == "(" {
                called.insert(token);
            }
            match tokens[..index].last().copied().unwrap_or_default() {
                "fn" if entry_point => {
                    entry_point = false;
                    kept.insert(token);
                }
                "fn" | "struct" | "alias" => {
                    callable.insert(token);
                    declared.insert(token);
                }
                "override" => {
                    kept.insert(token);
                }
                "let" | "const" | "var" => {
                    declared.insert(token);
                }
                // Members and parameters, and what stands behind `var<storage>`.
                _ if next == ":" => {
                    declared.insert(token);
                }
                ">" if next == "=" => {
                    declared.insert(token);
                }
                _ => {}
            }
        }
    }
    let swizzle = |name: &str| {
        ["xyzw", "rgba"]
            .iter()
            .any(|set| name.chars().all(|c| set.contains(c)))
    };
    // A function of the language may share its name with a variable.
    let replaced = |name: &str| {
        declared.contains(name)
            && !kept.contains(name)
            && !swizzle(name)
            && (callable.contains(name) || !called.contains(name))
    };
    let mut names: Vec<&str> = counts
        .keys()
        .copied()
        .filter(|name| replaced(name))
        .collect();
    names.sort_by_key(|name| (std::cmp::Reverse(counts[name]), *name));
    // No word of the language has a capital or a digit behind its first letter.
    let letters = || ('a'..='z').chain('A'..='Z');
    let seconds = || ('A'..='Z').chain('0'..='9');
    let single = letters().map(String::from);
    let double = letters().flat_map(|a| seconds().map(move |b| format!("{a}{b}")));
    let free = single.chain(double).filter(|short| {
        let stays = counts.contains_key(short.as_str()) && !replaced(short);
        !stays && !kept.contains(short.as_str())
    });
    names.into_iter().map(String::from).zip(free).collect()
}

/// `text` with the names of the table replaced.
pub fn rename(text: &str, names: &BTreeMap<String, String>) -> String {
    let tokens = tokens(text);
    let replaced = tokens
        .iter()
        .enumerate()
        .map(|(index, &token)| match names.get(token) {
            Some(short) if !in_attribute(&tokens, index) => short.as_str(),
            _ => token,
        });
    replaced.collect()
}
