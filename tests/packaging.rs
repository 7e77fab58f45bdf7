//! Holds the package build's own inputs, wasm-pack.toml and pkg.json.template, to Cargo.toml, Cargo.lock and www/package.json.
//!
//! wasm-pack reads neither file; scripts/build-package.mjs does. These tests are what keeps them from going stale.

#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::PathBuf;

fn read(path: &str) -> String {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&full).unwrap_or_else(|error| panic!("{}: {error}", full.display()))
}

fn toml(path: &str) -> toml::Table {
    read(path)
        .parse()
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn text<'a>(table: &'a toml::Table, section: &str, key: &str) -> &'a str {
    table
        .get(section)
        .and_then(|section| section.get(key))
        .and_then(toml::Value::as_str)
        .unwrap_or_else(|| panic!("no string [{section}] {key}"))
}

/// The template as the build script sees it: line 1 dropped, placeholders still in place.
fn template() -> serde_json::Value {
    let whole = read("pkg.json.template");
    let (_, json) = whole
        .split_once('\n')
        .expect("the template has more than one line");
    serde_json::from_str(json).expect("the template is JSON from line 2 on")
}

fn strings(value: &serde_json::Value) -> Vec<&str> {
    let items = value.as_array().expect("an array");
    items
        .iter()
        .map(|item| item.as_str().expect("a string"))
        .collect()
}

#[test]
fn both_files_say_on_line_1_who_reads_them() {
    for path in ["wasm-pack.toml", "pkg.json.template"] {
        let whole = read(path);
        let first = whole.lines().next().unwrap_or_default();
        assert!(
            first.contains("scripts/build-package.mjs"),
            "{path}: {first}"
        );
        assert!(
            first.contains("wasm-pack itself does not read this file"),
            "{path}: {first}"
        );
    }
}

#[test]
fn the_pinned_wasm_bindgen_is_the_one_in_the_lock_file_and_the_manifest() {
    let pinned = toml("wasm-pack.toml");
    let pinned = text(&pinned, "tools", "wasm-bindgen-cli");

    let lock = toml("Cargo.lock");
    let packages = lock["package"]
        .as_array()
        .expect("Cargo.lock lists packages");
    let locked: Vec<&str> = packages
        .iter()
        .filter(|package| package["name"].as_str() == Some("wasm-bindgen"))
        .filter_map(|package| package["version"].as_str())
        .collect();
    assert_eq!(
        locked,
        [pinned],
        "wasm-bindgen refuses a command-line tool of another version"
    );

    let manifest = toml("Cargo.toml");
    let required =
        &manifest["target"]["cfg(target_arch = \"wasm32\")"]["dependencies"]["wasm-bindgen"];
    let required = required.as_str().or_else(|| required["version"].as_str());
    assert_eq!(
        required,
        Some(format!("={pinned}").as_str()),
        "the requirement in Cargo.toml must be exact"
    );
}

#[test]
fn the_pinned_binaryen_is_the_one_npm_installs() {
    let pinned = toml("wasm-pack.toml");
    let page: serde_json::Value =
        serde_json::from_str(&read("www/package.json")).expect("www/package.json is JSON");
    assert_eq!(
        page["devDependencies"]["binaryen"].as_str(),
        Some(text(&pinned, "tools", "binaryen"))
    );
}

#[test]
fn names_follow_from_the_crate() {
    let config = toml("wasm-pack.toml");
    let manifest = toml("Cargo.toml");
    let crate_name = text(&manifest, "package", "name");
    assert_eq!(
        text(&config, "package", "out-name"),
        crate_name.replace('-', "_")
    );
    assert_eq!(text(&config, "package", "target"), "web");
    let out_dir = text(&config, "package", "out-dir");
    assert!(
        read(".gitignore")
            .lines()
            .any(|line| line == format!("/{out_dir}")),
        "{out_dir}/ is built, so .gitignore must name it"
    );
    assert_eq!(
        text(&config, "package", "manifest-template"),
        "pkg.json.template"
    );
}

#[test]
fn wasm_pack_never_downloads_a_wasm_opt() {
    let manifest = toml("Cargo.toml");
    for profile in ["dev", "profiling", "release"] {
        let setting = &manifest["package"]["metadata"]["wasm-pack"]["profile"][profile]["wasm-opt"];
        assert_eq!(setting.as_bool(), Some(false), "profile {profile}");
    }
}

#[test]
fn the_size_budgets_are_188_and_220_kib() {
    let config = toml("wasm-pack.toml");
    for (key, kib) in [("wasm-gzip-bytes", 188), ("mesh-wasm-gzip-bytes", 220)] {
        assert_eq!(
            config["budget"][key].as_integer(),
            Some(kib * 1024),
            "{key}"
        );
    }
}

#[test]
fn the_second_module_has_a_feature_and_both_have_a_profile_of_their_own() {
    let config = toml("wasm-pack.toml");
    let manifest = toml("Cargo.toml");
    assert!(
        manifest["features"]
            .get(text(&config, "mesh", "features"))
            .is_some()
    );
    for module in ["package", "mesh"] {
        let profile = &manifest["profile"][text(&config, module, "profile")];
        assert_eq!(profile["inherits"].as_str(), Some("release"), "{module}");
    }
    assert_ne!(
        text(&config, "mesh", "out-name"),
        text(&config, "package", "out-name")
    );

    let template = template();
    let exports = &template["exports"];
    assert_eq!(exports["./mesh"]["default"].as_str(), Some("./mesh.js"));
    assert_eq!(exports["./mesh"]["types"].as_str(), Some("./mesh.d.ts"));
    for path in ["./mesh-worker.js", "./${mesh-out-name}_bg.wasm"] {
        assert_eq!(
            exports[path].as_str(),
            Some(path),
            "bundlers that lose a file are pointed to it"
        );
    }
}

#[test]
fn the_npm_manifest_takes_its_facts_from_the_crate() {
    let template = template();
    for key in ["name", "version", "description", "license"] {
        assert_eq!(
            template[key].as_str(),
            Some(format!("${{{key}}}").as_str()),
            "{key} is written once, in Cargo.toml"
        );
    }
    let manifest = toml("Cargo.toml");
    let npm = strings(&template["keywords"]);
    for keyword in manifest["package"]["keywords"]
        .as_array()
        .expect("Cargo.toml has keywords")
    {
        let keyword = keyword.as_str().expect("a keyword is a string");
        assert!(
            npm.contains(&keyword),
            "keyword {keyword} is in Cargo.toml only"
        );
    }
}

#[test]
fn the_npm_manifest_is_a_module_with_types_and_licences() {
    let template = template();
    assert_eq!(template["type"].as_str(), Some("module"));
    assert_eq!(template["sideEffects"].as_bool(), Some(false));
    let entry = template["exports"]["."]
        .as_object()
        .expect("the entry has conditions");
    let conditions: Vec<&str> = entry.keys().map(String::as_str).collect();
    assert!(
        conditions.contains(&"types") && conditions.contains(&"default"),
        "{conditions:?}"
    );
    assert_eq!(entry["types"], template["types"]);

    let files = strings(&template["files"]);
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(
            files.contains(&licence),
            "npm adds only files called exactly LICENSE by itself"
        );
        assert!(
            read(licence).contains("The webgpu-softbody authors"),
            "{licence} names the holders"
        );
    }
    let manifest = toml("Cargo.toml");
    assert_eq!(text(&manifest, "package", "license"), "MIT OR Apache-2.0");
}
