//! Mutational fuzzer for the importers: `cargo run --release --no-default-features --features mesh-tools --example
//! fuzz_import -- SECONDS [FORMAT] [SEED]`. A panic, a case of more than 20 s, or one that takes more memory than it
//! may, leaves its input in a file and ends the run with an error.

#[cfg(not(target_arch = "wasm32"))]
#[path = "../tests/import_support/counting.rs"]
mod counting;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../tests/import_support/mutate.rs"]
mod mutate;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../tests/import_support/seeds.rs"]
mod seeds;

#[cfg(not(target_arch = "wasm32"))]
#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// The examples are also built for the web, where there is nothing to run.
#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::process::ExitCode;
    use std::sync::{Mutex, PoisonError};
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    use webgpu_softbody::import::{NamedFile, import};

    use crate::counting::{allowed, peak_of};
    use crate::mutate::{Random, mutate};
    use crate::seeds::seeds;

    const FORMATS: [(&str, &[&str]); 10] = [
        ("gmsh", &["msh"]),
        ("medit", &["mesh"]),
        ("vtk", &["vtk"]),
        ("vtu", &["vtu"]),
        ("tetgen", &["node", "ele"]),
        ("abaqus", &["inp"]),
        ("obj", &["obj"]),
        ("stl", &["stl"]),
        ("ply", &["ply"]),
        ("gltf", &["gltf", "glb"]),
    ];
    const LONGEST: Duration = Duration::from_secs(20);

    type Files = Vec<(String, Vec<u8>)>;
    /// The case that runs now, and since when.
    static RUNNING: Mutex<Option<(Files, Instant)>> = Mutex::new(None);

    /// Leaves the running case in the folder for temporary files.
    fn keep() {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, bytes) in running.iter().flat_map(|(files, _)| files) {
            let path =
                std::env::temp_dir().join(format!("fuzz_import-{}-{name}", std::process::id()));
            match std::fs::write(&path, bytes) {
                Ok(()) => eprintln!("input kept as {}", path.display()),
                Err(error) => eprintln!("{}: {error}", path.display()),
            }
        }
    }

    pub fn main() -> ExitCode {
        let mut arguments = std::env::args().skip(1);
        let seconds = arguments.next().and_then(|text| text.parse::<u64>().ok());
        let format = arguments.next();
        let extensions = match &format {
            None => Some(&[] as &[&str]),
            Some(format) => FORMATS
                .iter()
                .find(|(name, _)| name == format)
                .map(|(_, list)| *list),
        };
        let (Some(seconds), Some(extensions)) = (seconds, extensions) else {
            let names: Vec<&str> = FORMATS.iter().map(|(name, _)| *name).collect();
            eprintln!("usage: fuzz_import SECONDS [{}] [SEED]", names.join("|"));
            return ExitCode::from(2);
        };
        let seed = arguments
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| {
                let now = SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default();
                now.as_nanos() as u64
            });
        let seeds = seeds(extensions);
        if seeds.is_empty() {
            eprintln!("no stored files of this format");
            return ExitCode::from(2);
        }

        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            default(info);
            keep();
        }));
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
                let late = running
                    .as_ref()
                    .is_some_and(|(_, since)| since.elapsed() > LONGEST);
                drop(running);
                if late {
                    eprintln!("a case takes more than {} s", LONGEST.as_secs());
                    keep();
                    std::process::exit(1);
                }
            }
        });

        let mut random = Random(seed);
        let end = Instant::now() + Duration::from_secs(seconds);
        let (mut cases, mut read) = (0u64, 0u64);
        let mut slowest = Duration::ZERO;
        let mut most = 0.0f64;
        while Instant::now() < end {
            let mut files = seeds[random.below(seeds.len())].files.clone();
            let other = &seeds[random.below(seeds.len())].files[0].1;
            let target = random.below(files.len());
            mutate(&mut files[target].1, other, &mut random);
            let input: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
            *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((files.clone(), Instant::now()));
            let named: Vec<NamedFile> = files
                .iter()
                .map(|(name, bytes)| NamedFile { name, bytes })
                .collect();
            let begin = Instant::now();
            let (outcome, peak) = peak_of(|| import(&named).map_err(|error| error.to_string()));
            let mut time = begin.elapsed();
            for _ in 0..3 {
                if time <= slowest {
                    break;
                }
                // Once more: the machine may have been busy with something else.
                let begin = Instant::now();
                drop(import(&named));
                time = time.min(begin.elapsed());
            }
            slowest = slowest.max(time);
            cases += 1;
            read += u64::from(outcome.is_ok());
            // What is needed for any file at all would hide the multiple in tiny ones.
            if input >= 4096 {
                most = most.max(peak as f64 / input as f64);
            }
            if peak > allowed(input) {
                eprintln!("{peak} bytes held for {input} bytes");
                keep();
                return ExitCode::FAILURE;
            }
        }
        println!(
            "{}: seed {seed}, {} files, {cases} cases in {seconds} s, {read} of them read; slowest {:.2} ms; at most \
             {most:.1} times the input held",
            format.as_deref().unwrap_or("all formats"),
            seeds.len(),
            slowest.as_secs_f64() * 1e3,
        );
        ExitCode::SUCCESS
    }
}
