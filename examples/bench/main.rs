//! How fast the solver is on this machine, beside the scheme it replaced and the roofs of the hardware.
//!
//! `make bench`, or `cargo run --release --features mesh-tools --example bench -- --help`. Headless, on any adapter.
//! docs/notes/speed.md says what each figure means.

mod arguments;
mod baseline;
mod cases;
mod cloth;
mod machine;
mod measure;
mod ours;
mod pick;
mod probes;
mod report;
#[cfg(test)]
mod tests;
mod traffic;

use arguments::{Arguments, Task};
use baseline::Article;
use cases::{Case, Mesh};
use machine::Machine;
use measure::Frames;
use report::{CaseReport, Found};
use std::process::ExitCode;

/// Anything that stops the bench.
pub type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments = match arguments::parse(std::env::args_os()) {
        Ok(Task::Help) => {
            print!("{}", arguments::HELP);
            return ExitCode::SUCCESS;
        }
        Ok(Task::Run(arguments)) => arguments,
        Err(message) => {
            eprintln!("bench: {message}\n\n{}", arguments::HELP);
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let machine = Machine::find()?;
    println!("{}", report::adapter_lines(&machine));
    let chosen = cases::choose(arguments, machine.software)?;
    let probes = probes::run(&machine)?;
    println!("{}", report::probe_lines(&probes));
    let mut found = Found::default();
    let mut refused = Vec::new();
    // One body too many is no reason to lose the figures of the others.
    let mut refuse = |name: &str, error: Failure| {
        eprintln!("{name}: {error}");
        refused.push((name.to_owned(), error.to_string()));
    };
    for mesh in &chosen.meshes {
        match cases_of(&machine, arguments, mesh) {
            Ok(reports) => found.cases.extend(reports),
            Err(error) => refuse(&mesh.name, error),
        }
    }
    for sheet in &chosen.cloths {
        match cloth::run(&machine, arguments, sheet) {
            Ok(report) => {
                println!("{}", cloth::report::progress_line(&report));
                found.cloths.push(report);
            }
            Err(error) => refuse(&sheet.name, error),
        }
    }
    if chosen.pick {
        match pick::run(&machine, pick::side(machine.software)) {
            Ok(picks) => found.picks = picks,
            Err(error) => refuse("pick", error),
        }
    }
    found.refused = refused;
    print!("{}", report::tables(&found, &probes));
    if let Some(path) = &arguments.json {
        let json = report::json(&machine, &probes, &found, arguments);
        std::fs::write(path, serde_json::to_string_pretty(&json)? + "\n")
            .map_err(|error| format!("writing {}: {error}", path.display()))?;
        println!("\nwritten: {}", path.display());
    }
    if found.cases.is_empty() && found.cloths.is_empty() && found.picks.is_empty() {
        return Err("no case ran".into());
    }
    Ok(())
}

/// One mesh at each of its moduli.
fn cases_of(
    machine: &Machine,
    arguments: &Arguments,
    mesh: &Mesh,
) -> Result<Vec<CaseReport>, Failure> {
    let (tets, options) = match mesh.largest {
        None => (mesh.make()?, mesh.options.clone()),
        Some(cells) => ours::largest_that_fits(machine, mesh, cells)?,
    };
    let mut reports = Vec::new();
    for &youngs_modulus in &mesh.moduli {
        let case = Case {
            mesh: &tets,
            options: cases::with_modulus(&options, youngs_modulus),
        };
        let mut ours = ours::Running::new(machine, arguments, &case)?;
        let mut article = match arguments.baseline {
            true => Article::new(machine, &case)
                .inspect_err(|error| eprintln!("{}: no baseline: {error}", mesh.name))
                .ok(),
            false => None,
        };
        let mut schemes: Vec<&mut dyn Frames> = vec![&mut ours];
        schemes.extend(article.iter_mut().map(|article| article as &mut dyn Frames));
        let mut times = measure::frames(machine, arguments, &mut schemes)?.into_iter();
        let mut next = || times.next().ok_or("a scheme was not timed");
        let ours = ours.report(machine, next()?)?;
        let baseline = match article {
            Some(article) => Some(article.report(next()?)?),
            None => None,
        };
        let report = CaseReport {
            name: mesh.name.clone(),
            youngs_modulus,
            software: machine.software,
            ours,
            baseline,
        };
        println!("{}", report::progress_line(&report));
        reports.push(report);
    }
    Ok(reports)
}
