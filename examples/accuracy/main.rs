//! How true the solver is: every case against float64 references, as a table and as target/accuracy.json.
//!
//! `cargo run --release --features mesh-tools --example accuracy [-- OPTIONS] [FILTER…]`, or `make accuracy`. Only cases
//! whose name holds every filter run, e.g. `static bunny`. Options: `--budgets` tries other budgets too, `--quick` the
//! cases of `make test` only, `--explicit` or `--xpbd` one scheme only, `--list` names the cases. docs/notes/accuracy.md
//! has the results.

mod catalogue;
mod lab;
mod measure;
mod momenta;
mod motion;
#[path = "../../tests/common/reference/mod.rs"]
mod reference;
mod signal;
mod statics;
mod steps;
mod table;

use catalogue::{QUICK_FREE, QUICK_MOTION, QUICK_STATICS};
use lab::{Lab, Outcome, Way};
use serde_json::json;
use webgpu_softbody::gpu::Gpu;
use webgpu_softbody::settings::{Scheme, SolverSettings};

fn main() -> Outcome<()> {
    let (options, filters): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.starts_with("--"));
    let known = ["--budgets", "--quick", "--explicit", "--xpbd", "--list"];
    if let Some(stranger) = options
        .iter()
        .find(|option| !known.contains(&option.as_str()))
    {
        return Err(format!("{stranger} is not an option: {}", known.join(", ")).into());
    }
    let chosen = |option: &str| options.iter().any(|given| given == option);
    let mut cases = match chosen("--quick") {
        true => {
            catalogue::named(&[&QUICK_STATICS[..], &QUICK_MOTION[..], &QUICK_FREE[..]].concat())
        }
        false => catalogue::all(),
    };
    let fits = |name: &str| {
        filters
            .iter()
            .all(|word| name.contains(&word.to_lowercase()))
    };
    cases.retain(|case| fits(&case.name()));
    if chosen("--list") {
        cases.iter().for_each(|case| println!("{}", case.name()));
        return Ok(());
    }
    let mut settings = vec![SolverSettings::explicit(None), SolverSettings::xpbd(20, 4)];
    if chosen("--budgets") {
        let explicit = [8, 24, 48, 96, 192].map(|s| SolverSettings::explicit(Some(s)));
        let xpbd = [(10, 8), (40, 2), (80, 1), (20, 16)].map(|(s, k)| SolverSettings::xpbd(s, k));
        settings.extend(explicit.into_iter().chain(xpbd));
    }
    settings.retain(|settings| match settings.scheme {
        Scheme::Explicit => !chosen("--xpbd"),
        Scheme::Xpbd => !chosen("--explicit"),
    });
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let (gpu, _) = pollster::block_on(Gpu::request(&instance, None))?;
    let adapter = gpu.adapter_name.clone();
    println!("adapter: {adapter}\n{}", table::HEAD);
    let mut lab = Lab::new(gpu)?;
    let mut rows = Vec::new();
    for case in &cases {
        for settings in &settings {
            for row in case.run(&mut lab, &Way::new(*settings))? {
                println!("{}", row.line());
                rows.push(row);
            }
        }
    }
    let misses = rows.iter().filter(|row| !row.met()).count();
    println!("\n{} figures, {misses} miss their goal", rows.len());
    let rows: Vec<_> = rows.iter().map(table::Row::json).collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/target/accuracy.json");
    let text = serde_json::to_vec_pretty(&json!({ "adapter": adapter, "rows": rows }))?;
    std::fs::write(file, text)?;
    println!("figures in target/accuracy.json");
    Ok(())
}
