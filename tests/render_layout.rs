//! Reflection: the renderer's WGSL validates, agrees with its Rust structs, and stays within browser limits.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

use std::mem::offset_of;
use webgpu_softbody::render::uniforms::{Frame, Light};
use webgpu_softbody::shaders::render::{ALL, RenderShader, SURFACE_BOUNDS_WORKGROUP_SIZE};
use wgpu::naga;

fn parse(shader: RenderShader) -> (naga::Module, naga::valid::ModuleInfo) {
    let text = shader.wgsl();
    let module = naga::front::wgsl::parse_str(&text)
        .unwrap_or_else(|error| panic!("{}:\n{}", shader.label, error.emit_to_string(&text)));
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::default(),
    );
    let info = validator
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}:\n{}", shader.label, error.emit_to_string(&text)));
    (module, info)
}

/// Size in bytes of the field that `_field` borrows.
fn size_of_field<T, F>(_field: fn(&T) -> &F) -> u32 {
    size_of::<F>() as u32
}

macro_rules! fields {
    ($type:ty: $($field:ident)*) => {
        vec![$((stringify!($field), offset_of!($type, $field) as u32, size_of_field(|v: &$type| &v.$field)),)*]
    };
}

/// Name, offset and size of a member.
type Member<'a> = (&'a str, u32, u32);

/// Members and span of a WGSL struct; `None` if the module has no such struct.
fn reflected<'a>(module: &'a naga::Module, name: &str) -> Option<(Vec<Member<'a>>, u32)> {
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
            let fields = members.iter().map(|member| {
                let size = module.types[member.ty].inner.size(module.to_ctx());
                (
                    member.name.as_deref().unwrap_or_default(),
                    member.offset,
                    size,
                )
            });
            Some((fields.collect(), *span))
        }
        _ => None,
    })
}

#[test]
fn structs_match_the_wgsl_in_every_module() {
    let frame = fields!(Frame: clip_from_world eye ray_right ray_up ray_forward light_right light_up to_sun color
        wall_min wall_max ground_center ground_fade floor_height grid_offset viewport metallic anisotropy sheen through
        has_floor encode_srgb triangle_index_count is_cloth markers);
    let light = fields!(Light: light_from_world bounds_min bounds_max side depth texel enabled);
    let mut seen = [0, 0];
    for shader in ALL {
        let (module, _) = parse(shader);
        let expected = [
            ("Frame", &frame, size_of::<Frame>()),
            ("Light", &light, size_of::<Light>()),
        ];
        for (count, (name, fields, size)) in seen.iter_mut().zip(expected) {
            if let Some((found, span)) = reflected(&module, name) {
                assert_eq!(&found, fields, "{name} in {}", shader.label);
                assert_eq!(span as usize, size, "span of {name} in {}", shader.label);
                *count += 1;
            }
        }
    }
    assert_eq!(
        seen,
        [ALL.len(); 2],
        "every module is composed with types.wgsl"
    );
}

#[test]
fn storage_buffers_stay_within_limits_and_out_of_drawing_stages() {
    for shader in ALL {
        let (module, info) = parse(shader);
        for (index, entry) in module.entry_points.iter().enumerate() {
            let used = |(handle, variable): (
                naga::Handle<naga::GlobalVariable>,
                &naga::GlobalVariable,
            )| {
                let storage = matches!(variable.space, naga::AddressSpace::Storage { .. });
                storage && !info.get_entry_point(index)[handle].is_empty()
            };
            let count = module
                .global_variables
                .iter()
                .filter(|&variable| used(variable))
                .count();
            let limit = if entry.stage == naga::ShaderStage::Compute {
                8
            } else {
                0
            };
            assert!(
                count <= limit,
                "{} uses {count} storage buffers, limit {limit}",
                entry.name
            );
        }
    }
}

#[test]
fn kernels_are_named_after_their_file_and_declare_the_size_the_dispatch_assumes() {
    let mut kernels = 0;
    for shader in ALL {
        let (module, _) = parse(shader);
        for entry in module
            .entry_points
            .iter()
            .filter(|entry| entry.stage == naga::ShaderStage::Compute)
        {
            assert_eq!(entry.name, shader.label);
            let expected = if shader.label == "surface_bounds" {
                SURFACE_BOUNDS_WORKGROUP_SIZE
            } else {
                1
            };
            assert_eq!(entry.workgroup_size, [expected, 1, 1], "{}", entry.name);
            kernels += 1;
        }
    }
    assert_eq!(kernels, 2);
}
