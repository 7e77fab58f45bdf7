//! The WGSL that release builds for the web carry means the same as the WGSL in `shaders/`.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

#[path = "../build/strip.rs"]
mod strip;

use webgpu_softbody::shaders::{render, solver::Kernel};
use wgpu::naga;

/// A module's debug text without the byte ranges that say where in the source each part stood.
fn without_places(module: &str) -> String {
    let mut parts = module.split("Span { start: ");
    let first = parts.next().unwrap_or_default();
    parts.fold(first.to_owned(), |text, part| {
        text + part.split_once('}').expect("a closed span").1
    })
}

#[test]
fn stripped_shaders_parse_to_the_same_module() {
    let solver = Kernel::ALL.map(Kernel::wgsl);
    let render = render::ALL.map(|shader| shader.wgsl());
    for text in solver.iter().chain(&render) {
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
