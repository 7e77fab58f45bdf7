//! Runs the command and reads what it says and writes.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of its own for each test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("command-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("the folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_webgpu-softbody-mesh"));
    command.args(arguments).stdin(Stdio::null());
    command
}

pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

pub fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code().expect("ended by itself"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

pub fn run(arguments: &[&str]) -> Ran {
    ran(command(arguments).output().expect("starts"))
}

pub fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub fn words(name: &str) -> (Vec<f32>, Vec<u32>) {
    let read = |suffix: &str| {
        fs::read(format!("{name}_{suffix}"))
            .unwrap_or_else(|error| panic!("{name}_{suffix}: {error}"))
    };
    let word = |bytes: &[u8]| [bytes[0], bytes[1], bytes[2], bytes[3]];
    (
        read("positions.vec3f32bin")
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(word(b)))
            .collect(),
        read("tet_indices.vec4u32bin")
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes(word(b)))
            .collect(),
    )
}
