//! What was found, for people and as JSON.

use crate::arguments::Arguments;
use crate::baseline::{self, Baseline};
use crate::cloth::ClothReport;
use crate::cloth::report as cloth_report;
use crate::machine::Machine;
use crate::measure::{FrameTimes, Pair, Times};
use crate::ours::Ours;
use crate::pick::{self, PickReport};
use crate::probes::Probes;
use crate::traffic::OPERATIONS_PER_TET;
use serde_json::{Value, json};
use std::fmt::Write;

/// One mesh at one modulus.
pub struct CaseReport {
    pub name: String,
    pub youngs_modulus: f64,
    pub software: bool,
    pub ours: Ours,
    pub baseline: Option<Baseline>,
}

/// Everything that was measured.
#[derive(Default)]
pub struct Found {
    pub cases: Vec<CaseReport>,
    pub cloths: Vec<ClothReport>,
    pub picks: Vec<PickReport>,
    /// Names of the cases that could not be measured, and why.
    pub refused: Vec<(String, String)>,
}

impl CaseReport {
    fn pair(&self) -> Option<Pair<'_>> {
        let baseline = self.baseline.as_ref()?;
        Some(Pair::new(&self.ours.times, &baseline.times))
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.pair()?.ratio(self.software))
    }

    fn evaluations_per_second(&self) -> f64 {
        let evaluations = f64::from(self.ours.evaluations) * f64::from(self.ours.tets);
        evaluations / (self.ours.times.best().median * 1e-3)
    }

    fn bytes_per_frame(&self) -> u64 {
        self.ours.kernels.iter().map(|kernel| kernel.bytes).sum()
    }

    fn bytes_per_evaluation(&self) -> f64 {
        let evaluations = f64::from(self.ours.evaluations) * f64::from(self.ours.tets);
        self.bytes_per_frame() as f64 / evaluations
    }

    /// Of the measured arithmetic, by the kernel of the tets in a pass of its own; only in the explicit scheme.
    fn arithmetic_share(&self, probes: &Probes) -> Option<f64> {
        let kernel = self
            .ours
            .kernels
            .iter()
            .find(|kernel| kernel.name == "tet_forces")?;
        let operations = OPERATIONS_PER_TET * f64::from(self.ours.tets) * kernel.dispatches as f64;
        Some(operations / (kernel.milliseconds? * 1e-3) / probes.flops)
    }

    /// Of the measured copy bandwidth.
    fn bandwidth_share(&self, probes: &Probes) -> f64 {
        let seconds = self.ours.times.best().median * 1e-3;
        self.bytes_per_frame() as f64 / seconds / probes.copy_bandwidth
    }
}

/// What is measured.
pub fn adapter_lines(machine: &Machine) -> String {
    let info = &machine.info;
    let mut lines = format!(
        "adapter: {} ({:?}, {:?}; {} {})",
        info.name, info.device_type, info.backend, info.driver, info.driver_info
    );
    if machine.software {
        lines += "\nThis is a SOFTWARE adapter: a processor plays the GPU. No figure below says anything about a GPU; \
                  ratios of one run do compare the two schemes.";
    }
    if !machine.timestamps {
        lines += "\nThis adapter has no timestamps: frames are timed from submission to completion, kernels not at all.";
    }
    lines
}

/// The roofs.
pub fn probe_lines(probes: &Probes) -> String {
    format!(
        "copy {:.1} GB/s ({} MB arrays, read + written); multiply-add {:.1} GFLOP/s; dependent dispatch {:.2} µs",
        probes.copy_bandwidth * 1e-9,
        probes.copy_bytes >> 20,
        probes.flops * 1e-9,
        probes.dispatch_seconds * 1e6
    )
}

/// One case as soon as it is done.
pub fn progress_line(report: &CaseReport) -> String {
    let ratio = report
        .ratio()
        .map_or(String::new(), |ratio| format!(", {ratio:.1}× the baseline"));
    format!(
        "{} E {:.0e}: {} substeps, {} ms a frame{ratio}",
        report.name,
        report.youngs_modulus,
        report.ours.substeps,
        digits(report.ours.times.best().median)
    )
}

/// Three digits that count.
pub fn digits(value: f64) -> String {
    let places = (2 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.places$}")
}

/// All there is to say.
pub fn tables(found: &Found, probes: &Probes) -> String {
    let mut text = String::new();
    if !found.cases.is_empty() {
        text += &table(&found.cases, probes);
    }
    if !found.cloths.is_empty() {
        text += &cloth_report::table(&found.cloths);
    }
    if !found.picks.is_empty() {
        text += &pick::table(&found.picks);
    }
    text
}

/// Solids: one row each, then the kernels, then what a tet evaluation moves.
fn table(reports: &[CaseReport], probes: &Probes) -> String {
    let mut rows = vec![
        [
            "case", "tets", "E", "S", "r", "evals", "disp", "ms", "p95", "wall ms", "Mevals/s",
            "B/eval", "% copy", "B/tet", "load s", "base ms", "ratio",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for report in reports {
        let ours = &report.ours;
        let best = ours.times.best();
        let none = || "–".to_owned();
        rows.push(vec![
            report.name.clone(),
            ours.tets.to_string(),
            format!("{:.0e}", report.youngs_modulus),
            ours.substeps.to_string(),
            format!("{:.2}", ours.r),
            ours.evaluations.to_string(),
            ours.dispatches.to_string(),
            digits(best.median),
            digits(best.p95),
            digits(ours.times.wall.median),
            digits(report.evaluations_per_second() * 1e-6),
            format!("{:.0}", report.bytes_per_evaluation()),
            format!("{:.0}", 100.0 * report.bandwidth_share(probes)),
            ours.memory.map_or_else(none, |bytes| {
                format!("{:.0}", bytes as f64 / f64::from(ours.tets))
            }),
            digits(ours.load_seconds),
            report.pair().map_or_else(none, |pair| {
                let finite = report
                    .baseline
                    .as_ref()
                    .is_none_or(|baseline| baseline.finite);
                digits(pair.baseline.median) + if finite { "" } else { " (NaN)" }
            }),
            report
                .ratio()
                .map_or_else(none, |ratio| format!("{ratio:.1}")),
        ]);
    }
    let mut text = String::from("\n");
    align(&mut text, &rows);
    text += "ms, p95: per frame of 1/60 s, by GPU timestamps where there are some; wall: from submission to completion.\n\n";
    align(&mut text, &kernel_rows(reports, probes));
    text += "A kernel's time is that of its dispatches in passes of their own; B are those it has to move at least once.\n";
    if let Some(largest) = reports.iter().max_by_key(|report| report.ours.tets) {
        let evaluations = f64::from(largest.ours.evaluations) * f64::from(largest.ours.tets);
        let _ = writeln!(
            text,
            "\nBytes per tet evaluation, {} at E {:.0e}:",
            largest.name, largest.youngs_modulus
        );
        let mut rows = Vec::new();
        for row in &largest.ours.traffic {
            let kernel = largest
                .ours
                .kernels
                .iter()
                .find(|kernel| kernel.name == row.kernel);
            let dispatches = kernel.map_or(0, |kernel| kernel.dispatches);
            if dispatches > 0 {
                let bytes = row.bytes as f64 * dispatches as f64 / evaluations;
                rows.push(vec![
                    row.kernel.to_owned(),
                    row.buffer.to_owned(),
                    format!("{bytes:.1}"),
                    row.purpose.to_owned(),
                ]);
            }
        }
        align(&mut text, &rows);
    }
    text
}

fn kernel_rows(reports: &[CaseReport], probes: &Probes) -> Vec<Vec<String>> {
    let mut rows = vec![
        [
            "case", "E", "kernel", "disp", "µs each", "share", "GB/s", "% copy", "% flops",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for report in reports {
        let total: f64 = report
            .ours
            .kernels
            .iter()
            .filter_map(|kernel| kernel.milliseconds)
            .sum();
        for kernel in &report.ours.kernels {
            let Some(milliseconds) = kernel.milliseconds else {
                continue;
            };
            let bandwidth = kernel.bytes as f64 / (milliseconds * 1e-3);
            rows.push(vec![
                report.name.clone(),
                format!("{:.0e}", report.youngs_modulus),
                kernel.name.to_owned(),
                kernel.dispatches.to_string(),
                digits(milliseconds * 1e3 / kernel.dispatches as f64),
                format!("{:.0} %", 100.0 * milliseconds / total),
                digits(bandwidth * 1e-9),
                format!("{:.0}", 100.0 * bandwidth / probes.copy_bandwidth),
                match report.arithmetic_share(probes) {
                    Some(share) if kernel.name == "tet_forces" => format!("{:.0}", 100.0 * share),
                    _ => "–".to_owned(),
                },
            ]);
        }
    }
    rows
}

/// Words to the left, figures to the right.
pub fn align(text: &mut String, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let word = rows
                .last()
                .is_some_and(|last| last[column].starts_with(|c: char| c.is_alphabetic()));
            let _ = match word {
                true => write!(text, "{cell:<width$}  "),
                false => write!(text, "{cell:>width$}  "),
            };
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
}

/// As JSON, ms.
pub fn times(times: &Times) -> Value {
    json!({ "median": times.median, "p95": times.p95, "least": times.least, "samples": times.samples, "frames": times.frames })
}

/// As JSON, ms.
pub fn frame_times(frame: &FrameTimes) -> Value {
    json!({ "gpu": frame.gpu.as_ref().map(times), "wall": times(&frame.wall) })
}

/// Everything, in SI units unless the name says otherwise.
pub fn json(machine: &Machine, probes: &Probes, found: &Found, arguments: &Arguments) -> Value {
    let info = &machine.info;
    let cases = found.cases.iter().map(|report| case(report, probes));
    let cases: Vec<Value> = cases.collect();
    let cloths: Vec<Value> = found.cloths.iter().map(cloth_report::json).collect();
    let picks: Vec<Value> = found.picks.iter().map(pick::json).collect();
    let refused: Vec<Value> = found
        .refused
        .iter()
        .map(|(name, why)| json!({ "case": name, "why": why }))
        .collect();
    json!({
        "adapter": {
            "name": info.name,
            "type": format!("{:?}", info.device_type),
            "backend": format!("{:?}", info.backend),
            "driver": format!("{} {}", info.driver, info.driver_info),
            "software": machine.software,
            "timestamps": machine.timestamps,
        },
        "version": env!("CARGO_PKG_VERSION"),
        "scheme": format!("{:?}", arguments.settings.scheme).to_lowercase(),
        "frameSeconds": 1.0 / 60.0,
        "probes": {
            "copyBytesPerSecond": probes.copy_bandwidth,
            "copyArrayBytes": probes.copy_bytes,
            "flopsPerSecond": probes.flops,
            "dispatchMicroseconds": probes.dispatch_seconds * 1e6,
        },
        "cases": cases,
        "cloths": cloths,
        "pickMs": picks,
        "refused": refused,
    })
}

fn case(report: &CaseReport, probes: &Probes) -> Value {
    let ours = &report.ours;
    let kernels: Vec<Value> = ours
        .kernels
        .iter()
        .map(|kernel| {
            json!({
                "name": kernel.name,
                "dispatches": kernel.dispatches,
                "msPerFrame": kernel.milliseconds,
                "bytesPerFrame": kernel.bytes,
            })
        })
        .collect();
    let traffic: Vec<Value> = ours
        .traffic
        .iter()
        .map(|row| json!({ "kernel": row.kernel, "buffer": row.buffer, "bytes": row.bytes, "purpose": row.purpose }))
        .collect();
    json!({
        "case": report.name,
        "youngsModulus": report.youngs_modulus,
        "tets": ours.tets,
        "vertices": ours.vertices,
        "substeps": ours.substeps,
        "r": ours.r,
        "evaluationsPerFrame": ours.evaluations,
        "dispatchesPerFrame": ours.dispatches,
        "msPerFrame": frame_times(&ours.times),
        "evaluationsPerSecond": report.evaluations_per_second(),
        "bytesPerEvaluation": report.bytes_per_evaluation(),
        "shareOfCopyBandwidth": report.bandwidth_share(probes),
        "tetForcesShareOfFlops": report.arithmetic_share(probes),
        "operationsPerTet": OPERATIONS_PER_TET,
        "gpuBytes": ours.memory,
        "gpuBytesPerTet": ours.memory.map(|bytes| bytes as f64 / f64::from(ours.tets)),
        "loadSeconds": ours.load_seconds,
        "kernels": kernels,
        "bytesPerDispatch": traffic,
        "baseline": report.baseline.as_ref().map(|baseline| json!({
            "msPerFrame": frame_times(&baseline.times),
            "evaluationsPerFrame": baseline::EVALUATIONS,
            "dispatchesPerFrame": baseline.dispatches,
            "gpuBytes": baseline.memory,
            "finite": baseline.finite,
        })),
        "ratio": report.ratio(),
    })
}
