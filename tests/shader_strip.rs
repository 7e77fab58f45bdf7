//! The WGSL that release builds for the web carry means the same as the WGSL in `shaders/`.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[path = "../build/rename.rs"]
mod rename;
#[path = "../build/strip.rs"]
mod strip;

use webgpu_softbody::shaders::{pick, render, solver::Kernel};
use wgpu::naga;

/// A module's debug text without the byte ranges that say where in the source each part stood.
fn without_places(module: &str) -> String {
    let mut parts = module.split("Span { start: ");
    let first = parts.next().unwrap_or_default();
    parts.fold(first.to_owned(), |text, part| {
        text + part.split_once('}').expect("a closed span").1
    })
}

/// Every file in `shaders/`, stripped.
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(path.to_str().expect("UTF-8")),
            false => vec![strip::strip(&std::fs::read_to_string(path).expect("text"))],
        })
        .collect()
}

fn parsed(text: &str) -> naga::Module {
    naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|e| panic!("{}\n{text}", e.emit_to_string(text)))
}

/// The debug text of a module with every quoted name replaced that is in the table.
fn with_names(module: &str, names: &std::collections::BTreeMap<String, String>) -> String {
    let parts = module.split('"').enumerate().map(|(index, part)| {
        let short = names.get(part).filter(|_| index % 2 == 1);
        short.map_or(part, String::as_str)
    });
    parts.collect::<Vec<_>>().join("\"")
}

#[test]
fn renamed_shaders_differ_in_names_alone() {
    let files = files(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders"));
    let names = rename::short_names(&files);
    assert!(names.len() > 200, "only {} names become short", names.len());
    let shorts: std::collections::BTreeSet<_> = names.values().collect();
    assert_eq!(shorts.len(), names.len(), "two names became the same");
    let solver = Kernel::ALL.map(Kernel::wgsl);
    let render = render::ALL.map(|shader| shader.wgsl());
    for text in solver.iter().chain(&render).chain([&pick::WGSL.to_owned()]) {
        let stripped = strip::strip(text);
        let renamed = rename::rename(&stripped, &names);
        assert!(renamed.len() < stripped.len());
        let (module, expected) = (parsed(&renamed), parsed(&stripped));
        // What the host asks for by name.
        for (found, wanted) in module.entry_points.iter().zip(&expected.entry_points) {
            assert_eq!(found.name, wanted.name);
        }
        for ((_, found), (_, wanted)) in module.overrides.iter().zip(expected.overrides.iter()) {
            assert_eq!(found.name, wanted.name);
        }
        let [found, wanted] = [&module, &expected].map(|m| without_places(&format!("{m:?}")));
        assert_eq!(found, with_names(&wanted, &names), "{renamed}");
    }
}

#[test]
fn only_what_the_shader_declares_is_renamed() {
    let text = "struct Long{member:vec3<f32>,x:f32,}\n@group(0)@binding(1)var<storage,read_write>buffer:array<Long>;\n\
        override setting=0.0;const SIZE=64u;\nfn helper(distance:f32)->f32{return 1.0e-3*distance;}\n\
        @compute@workgroup_size(SIZE)\nfn entry(@builtin(position)position:vec4<f32>){let length=length(position.xyz);\n\
        buffer[0].member.x=helper(length)+setting;}";
    let names = rename::short_names(&[text.to_owned()]);
    let renamed: Vec<&str> = names.keys().map(String::as_str).collect();
    // `length` stays, as a function of that name is called.
    assert_eq!(
        renamed,
        [
            "Long", "SIZE", "buffer", "distance", "helper", "member", "position"
        ]
    );
    let short = rename::rename(text, &names);
    let of = |name: &str| names[name].clone();
    assert!(
        short.contains(&format!("@workgroup_size({})\nfn entry(", of("SIZE"))),
        "{short}"
    );
    assert!(
        short.contains(&format!("return 1.0e-3*{};", of("distance"))),
        "{short}"
    );
    let position = of("position");
    assert!(
        short.contains(&format!("@builtin(position){position}:vec4<f32>"))
            && short.contains(&format!("let length=length({position}.xyz);")),
        "{short}"
    );
    assert!(!names.values().any(|short| short == "x"), "{names:?}");
}

#[test]
fn stripped_shaders_parse_to_the_same_module() {
    let solver = Kernel::ALL.map(Kernel::wgsl);
    let render = render::ALL.map(|shader| shader.wgsl());
    for text in solver.iter().chain(&render).chain([&pick::WGSL.to_owned()]) {
        let stripped = strip::strip(text);
        assert!(stripped.len() < text.len() && !stripped.contains("//"));
        let [module, expected] = [&stripped, text].map(|text| {
            let module = naga::front::wgsl::parse_str(text)
                .unwrap_or_else(|e| panic!("{}", e.emit_to_string(text)));
            without_places(&format!("{module:?}"))
        });
        assert_eq!(module, expected);
    }
}

#[test]
fn only_comments_and_space_go() {
    let text = "// head\n\n  let a = b - -c; // tail\nfn f(x : f32, y: vec2<f32>) {}\n";
    assert_eq!(
        strip::strip(text),
        "let a=b- -c;\nfn f(x:f32,y:vec2<f32>){}\n"
    );
}
