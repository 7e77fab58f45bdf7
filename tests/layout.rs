//! Reflection: every struct, binding, workgroup size and entry point of the WGSL agrees with Rust's tables.
#![cfg(all(feature = "gpu", not(target_arch = "wasm32")))]

use std::mem::offset_of;
use webgpu_softbody::arrangement::{PATCH_TETS, PATCH_VERTICES, Patch, PatchVertex};
use webgpu_softbody::gpu::{Binding, BindingKind};
use webgpu_softbody::layout::{
    BendRow, ClothParams, ClothVertex, Cluster, EdgeRow, HeldVertex, Hold, Impulse, MaterialRow,
    PatchTet, PickHit, PickParams, PickRay, PinParams, PinTarget, SolverParams, StepParams,
    SurfaceAnchor, SurfaceParams, TetRest, VertexMass, VertexRest, WindParams, WindWave,
};
use webgpu_softbody::shaders::pick;
use webgpu_softbody::shaders::solver::{Domain, Kernel, PATCH_SIZE, TILE_SIZE, WORKGROUP_SIZE};
use webgpu_softbody::solver::{PICK_BINDINGS, bindings};
use wgpu::naga::{AddressSpace, Module, StorageAccess, TypeInner, front::wgsl, valid};

fn parsed(label: &str, text: &str) -> Module {
    let module =
        wgsl::parse_str(text).unwrap_or_else(|e| panic!("{label}: {}", e.emit_to_string(text)));
    let mut validator =
        valid::Validator::new(valid::ValidationFlags::all(), valid::Capabilities::empty());
    validator
        .validate(&module)
        .unwrap_or_else(|e| panic!("{label}: {}", e.emit_to_string(text)));
    module
}

fn modules() -> Vec<(Kernel, Module)> {
    Kernel::ALL
        .map(|kernel| (kernel, parsed(&format!("{kernel:?}"), &kernel.wgsl())))
        .into()
}

/// Name, offset and size of a Rust field.
type Field = (&'static str, usize, usize);

macro_rules! fields {
    ($type:ty { $($field:ident),* $(,)? }) => {{
        fn size_of_field<T, F>(_: fn(&T) -> &F) -> usize { size_of::<F>() }
        vec![$((stringify!($field), offset_of!($type, $field), size_of_field(|value: &$type| &value.$field))),*]
    }};
}

fn assert_struct(module: &Module, name: &str, size: usize, rust: &[Field]) -> bool {
    let Some((_, ty)) = module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name))
    else {
        return false;
    };
    let TypeInner::Struct { members, span } = &ty.inner else {
        panic!("{name} is not a struct")
    };
    let named: Vec<_> = rust
        .iter()
        .filter(|(field, ..)| *field != "padding")
        .collect();
    assert_eq!(members.len(), named.len(), "{name}: number of fields");
    let mut layouter = wgpu::naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("sized types");
    for (member, (field, offset, size)) in members.iter().zip(named) {
        assert_eq!(
            member.name.as_deref(),
            Some(*field),
            "{name}: order of fields"
        );
        assert_eq!(member.offset as usize, *offset, "{name}.{field}: offset");
        assert_eq!(
            layouter[member.ty].size as usize, *size,
            "{name}.{field}: size"
        );
    }
    assert_eq!(
        (*span as usize).next_multiple_of(16),
        size.next_multiple_of(16),
        "{name}: span"
    );
    true
}

#[test]
fn structs_agree() {
    let mut seen = [0; 17];
    for (_, module) in modules() {
        let found = [
            assert_struct(
                &module,
                "SolverParams",
                size_of::<SolverParams>(),
                &fields!(SolverParams {
                    gravity,
                    substep_seconds,
                    inverse_density,
                    lame_mu,
                    lame_lambda,
                    damping_factor,
                    floor_height,
                    floor_enabled,
                    friction,
                    vertex_count,
                    tet_count,
                    padding,
                }),
            ),
            assert_struct(
                &module,
                "StepParams",
                size_of::<StepParams>(),
                &fields!(StepParams {
                    gravity,
                    substep_seconds,
                    floor_height,
                    floor_enabled,
                    vertex_count,
                    padding
                }),
            ),
            assert_struct(
                &module,
                "MaterialRow",
                size_of::<MaterialRow>(),
                &fields!(MaterialRow {
                    lame_mu,
                    lame_lambda,
                    density,
                    viscosity,
                    damping_factor,
                    friction,
                    stiffest
                }),
            ),
            assert_struct(
                &module,
                "PatchTet",
                size_of::<PatchTet>(),
                &fields!(PatchTet {
                    corners,
                    slots,
                    slot_material,
                    stiffness
                }),
            ),
            assert_struct(
                &module,
                "Patch",
                size_of::<Patch>(),
                &fields!(Patch {
                    first_tet,
                    tet_count,
                    first_vertex,
                    vertex_count
                }),
            ),
            assert_struct(
                &module,
                "PatchVertex",
                size_of::<PatchVertex>(),
                &fields!(PatchVertex {
                    vertex,
                    partial,
                    slots
                }),
            ),
            assert_struct(
                &module,
                "VertexMass",
                size_of::<VertexMass>(),
                &fields!(VertexMass {
                    inverse_volume,
                    first_partial,
                    partial_count,
                    material
                }),
            ),
            assert_struct(
                &module,
                "Cluster",
                size_of::<Cluster>(),
                &fields!(Cluster {
                    first,
                    count,
                    inner,
                    rigid,
                    free,
                    reach
                }),
            ),
            assert_struct(
                &module,
                "VertexRest",
                size_of::<VertexRest>(),
                &fields!(VertexRest {
                    inverse_volume,
                    valence,
                    first_slot,
                    slot_count
                }),
            ),
            assert_struct(
                &module,
                "TetRest",
                size_of::<TetRest>(),
                &fields!(TetRest {
                    indices,
                    slots,
                    b1,
                    b2,
                    b3
                }),
            ),
            assert_struct(
                &module,
                "SurfaceParams",
                size_of::<SurfaceParams>(),
                &fields!(SurfaceParams {
                    vertex_count,
                    padding
                }),
            ),
            assert_struct(
                &module,
                "SurfaceAnchor",
                size_of::<SurfaceAnchor>(),
                &fields!(SurfaceAnchor { vertices, weights }),
            ),
            assert_struct(
                &module,
                "Hold",
                size_of::<Hold>(),
                &fields!(Hold {
                    destination,
                    stiffness,
                    barycentric,
                    damping,
                    triangle,
                    radius,
                    reach,
                    inertia,
                    mass,
                    vertex_count,
                    substep_seconds,
                    padding
                }),
            ),
            assert_struct(
                &module,
                "HeldVertex",
                size_of::<HeldVertex>(),
                &fields!(HeldVertex {
                    offset,
                    vertex,
                    pulled,
                    weight
                }),
            ),
            assert_struct(
                &module,
                "PinParams",
                size_of::<PinParams>(),
                &fields!(PinParams {
                    count,
                    substeps,
                    per_second,
                    padding
                }),
            ),
            assert_struct(
                &module,
                "PinTarget",
                size_of::<PinTarget>(),
                &fields!(PinTarget { position, vertex }),
            ),
            assert_struct(
                &module,
                "Impulse",
                size_of::<Impulse>(),
                &fields!(Impulse {
                    velocity,
                    radius,
                    center,
                    vertex_count
                }),
            ),
        ];
        for (count, found) in seen.iter_mut().zip(found) {
            *count += usize::from(found);
        }
    }
    assert!(
        seen.iter().all(|&count| count > 0),
        "every struct was met: {seen:?}"
    );
}

fn assert_bindings(label: &str, module: &Module, table: &[Binding]) {
    let mut storage = 0;
    let mut bound = 0;
    for (_, variable) in module.global_variables.iter() {
        let Some(binding) = &variable.binding else {
            continue;
        };
        assert_eq!(binding.group, 0, "{label}");
        let row = table
            .get(binding.binding as usize)
            .unwrap_or_else(|| panic!("{label}: binding {} is not in the table", binding.binding));
        assert_eq!(
            variable.name.as_deref(),
            Some(row.name),
            "{label}: binding {}",
            binding.binding
        );
        let kind = match variable.space {
            AddressSpace::Uniform => BindingKind::Uniform,
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                BindingKind::ReadWrite
            }
            AddressSpace::Storage { .. } => BindingKind::Read,
            other => panic!("{label}: {other:?}"),
        };
        assert_eq!(kind, row.kind, "{label}: access of {}", row.name);
        storage += usize::from(kind != BindingKind::Uniform);
        bound += 1;
    }
    assert_eq!(
        bound,
        table.len(),
        "{label}: every row of the table is declared"
    );
    assert!(
        storage <= 8,
        "{label}: {storage} storage buffers, WebGPU's default limit is 8"
    );
}

#[test]
fn structs_of_cloth_agree() {
    let mut seen = [0; 6];
    for (_, module) in modules() {
        let found = [
            assert_struct(
                &module,
                "ClothParams",
                size_of::<ClothParams>(),
                &fields!(ClothParams {
                    gravity,
                    substep_seconds,
                    floor_height,
                    floor_enabled,
                    vertex_count,
                    damping_factor,
                    friction,
                    areal_density,
                    stretch,
                    shear,
                    bend,
                    longest,
                    normal_drag,
                    tangential_drag,
                    columns,
                    rows,
                    spacing,
                    diagonal,
                    bend_weight,
                    border_weight,
                    padding,
                }),
            ),
            assert_struct(
                &module,
                "ClothVertex",
                size_of::<ClothVertex>(),
                &fields!(ClothVertex {
                    inverse_area,
                    anchor,
                    reach,
                    share,
                }),
            ),
            assert_struct(
                &module,
                "ClothEdge",
                size_of::<EdgeRow>(),
                &fields!(EdgeRow {
                    a,
                    b,
                    length,
                    factor
                }),
            ),
            assert_struct(
                &module,
                "ClothBend",
                size_of::<BendRow>(),
                &fields!(BendRow {
                    particles,
                    weights,
                    rest
                }),
            ),
            assert_struct(
                &module,
                "WindWave",
                size_of::<WindWave>(),
                &fields!(WindWave {
                    number,
                    phase,
                    amplitude,
                    padding
                }),
            ),
            assert_struct(
                &module,
                "WindParams",
                size_of::<WindParams>(),
                &fields!(WindParams {
                    velocity,
                    air_density,
                    wave_count,
                    padding,
                    waves,
                }),
            ),
        ];
        for (count, found) in seen.iter_mut().zip(found) {
            *count += usize::from(found);
        }
    }
    assert!(
        seen.iter().all(|&count| count > 0),
        "every struct was met: {seen:?}"
    );
}

#[test]
fn bindings_agree_and_stay_within_eight_storage_buffers() {
    for (kernel, module) in modules() {
        let table = bindings(kernel.source().group);
        assert_bindings(&format!("{kernel:?}"), &module, table);
    }
}

/// Picking is no kernel of a frame and stands in no table of them.
#[test]
fn picking_agrees() {
    let module = parsed(pick::NAME, pick::WGSL);
    assert_bindings(pick::NAME, &module, &PICK_BINDINGS);
    assert_eq!(module.entry_points.len(), 1);
    assert_eq!(module.entry_points[0].name, pick::NAME);
    assert_eq!(
        module.entry_points[0].workgroup_size,
        [WORKGROUP_SIZE, 1, 1]
    );
    let params = fields!(PickParams { stage, padding });
    let ray = fields!(PickRay {
        start,
        nearest,
        direction,
        padding
    });
    let hit = fields!(PickHit {
        vertices,
        triangle,
        barycentric,
        distance,
        point,
        padding
    });
    for (name, size, fields) in [
        ("PickParams", size_of::<PickParams>(), params),
        ("PickRay", size_of::<PickRay>(), ray),
        ("PickHit", size_of::<PickHit>(), hit),
    ] {
        assert!(assert_struct(&module, name, size, &fields), "no {name}");
    }
}

#[test]
fn entry_points_and_workgroups_agree() {
    for (kernel, module) in modules() {
        let source = kernel.source();
        assert_eq!(module.entry_points.len(), 1, "{kernel:?}");
        let entry = &module.entry_points[0];
        assert_eq!(entry.name, source.entry_point);
        let size = match source.domain {
            Domain::Patches => PATCH_SIZE,
            Domain::Tiles => TILE_SIZE,
            _ => WORKGROUP_SIZE,
        };
        assert_eq!(entry.workgroup_size, [size, 1, 1], "{kernel:?}");
        let overrides: Vec<_> = module
            .overrides
            .iter()
            .filter_map(|(_, constant)| constant.name.as_deref())
            .collect();
        for (name, _) in source.constants {
            assert!(overrides.contains(name), "{kernel:?}: no override {name}");
        }
    }
}

/// One invocation per tet and per staged vertex of a patch, and slots in 10 bits.
#[test]
fn a_patch_fits_its_workgroup() {
    let size = PATCH_SIZE as usize;
    assert_eq!(PATCH_TETS, size);
    assert!(
        [PATCH_VERTICES, PATCH_TETS]
            .iter()
            .all(|&n| n <= size && 4 * n <= 1 << 10)
    );
}

#[test]
fn default_limits_are_asked_for() {
    assert_eq!(
        wgpu::Limits::defaults().max_storage_buffers_per_shader_stage,
        8
    );
}
