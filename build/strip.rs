//! WGSL without what only people read. Used by the build script; a test checks that nothing else is lost.

/// `text` without `//` comments, indentation, blank lines, and spaces beside separators. WGSL has no string literals,
/// so `//` always begins a comment.
pub fn strip(text: &str) -> String {
    let separator = |c: Option<char>| c.is_some_and(|c| ",;:(){}".contains(c));
    let mut stripped = String::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default().trim();
        if code.is_empty() {
            continue;
        }
        let mut characters = code.chars().peekable();
        let mut before = None;
        while let Some(c) = characters.next() {
            if c != ' ' || !(separator(before) || separator(characters.peek().copied())) {
                stripped.push(c);
                before = Some(c);
            }
        }
        stripped.push('\n');
    }
    stripped
}
