//! WGSL without what only people read. Used by the build script; a test checks that nothing else is lost.

/// `text` without `//` comments, indentation, blank lines, and spaces that no two words or operators need between them.
/// WGSL has no string literals, so `//` always begins a comment.
pub fn strip(text: &str) -> String {
    let separator = |c: char| ",;:(){}".contains(c);
    let operator = |c: char| "+*/%=<>!&|^-".contains(c);
    let mut stripped = String::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default().trim();
        let mut characters = code.chars().peekable();
        let mut before = ' ';
        while let Some(c) = characters.next() {
            let after = characters.peek().copied().unwrap_or(' ');
            // `a - -b` and `vec2<f32> = x` keep their space between two operators.
            let needed =
                !separator(before) && !separator(after) && operator(before) == operator(after);
            if c != ' ' || needed {
                stripped.push(c);
                before = c;
            }
        }
        if !code.is_empty() {
            stripped.push('\n');
        }
    }
    stripped
}
