//! What a measurement gives, the table of all and the file of figures.

use serde_json::{Value, json};

/// One measured error.
#[derive(Debug, Clone)]
pub struct Row {
    pub case: String,
    pub scheme: String,
    /// Substeps of the last frame.
    pub substeps: u32,
    /// Evaluations of each tet in a frame.
    pub evaluations: u32,
    /// ω_b h / evaluations, with the bound ω_b of the float64 reference.
    pub r: f64,
    /// Wall-clock time per frame.
    pub milliseconds: f64,
    pub quantity: &'static str,
    /// Relative.
    pub error: f64,
    /// The goal; `None` where the figure is reported only.
    pub goal: Option<f64>,
    pub note: String,
}

impl Row {
    /// Whether the goal is met, where there is one. NaN never meets it.
    pub fn met(&self) -> bool {
        self.goal.is_none_or(|goal| self.error.abs() <= goal)
    }

    fn verdict(&self) -> &'static str {
        match (self.goal, self.met()) {
            (None, _) => "–",
            (Some(_), true) => "OK",
            (Some(_), false) => "MISS",
        }
    }

    pub fn line(&self) -> String {
        let goal = self.goal.map_or("–".to_owned(), percent);
        format!(
            "| {} | {} | {} | {} | {:.2} | {:.2} | {} | {} | {goal} | {} | {} |",
            self.case,
            self.scheme,
            self.substeps,
            self.evaluations,
            self.r,
            self.milliseconds,
            self.quantity,
            percent(self.error),
            self.verdict(),
            self.note
        )
    }

    pub fn json(&self) -> Value {
        json!({
            "case": self.case, "scheme": self.scheme, "substeps": self.substeps, "evaluations": self.evaluations,
            "r": self.r, "msPerFrame": self.milliseconds, "quantity": self.quantity, "error": self.error,
            "goal": self.goal, "verdict": self.verdict(), "note": self.note,
        })
    }
}

/// The head of the table.
pub const HEAD: &str = "\
| case | scheme | S | evaluations | r | ms/frame | quantity | error | goal | | note |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

fn percent(value: f64) -> String {
    match value.abs() * 100.0 {
        size if size != 0.0 && size < 1e-3 => format!("{:.1e} %", value * 100.0),
        size if size < 10.0 => format!("{:.3} %", value * 100.0),
        _ => format!("{:.1} %", value * 100.0),
    }
}
