//! A prepared body as flat lists of words, to be sent from one thread to another.

use super::plan::{Condensed, OperatorState};
use super::prepare::Prepared;
use crate::arrangement::Clusters;
use crate::dynamics::{FrequencyBounds, MassOperator};
use crate::embedding::Embedding;
use crate::gpu::InitialState;
use crate::mesh::TetMesh;
use crate::rest_state::RestState;
use crate::sections::Sections;
use crate::settings::Material;
use crate::topology::Topology;

impl Prepared {
    /// The body as lists of words that [`Self::from_sections`] of the same build makes it of again, to the bit.
    pub fn into_sections(mut self) -> Vec<Vec<u32>> {
        let mut sections = Sections::default();
        self.mesh.exchange(&mut sections);
        self.exchange(&mut sections);
        sections.into_lists()
    }

    /// The body that [`Self::into_sections`] wrote.
    ///
    /// # Panics
    /// If the lists are others.
    pub fn from_sections(lists: Vec<Vec<u32>>) -> Self {
        let mut sections = Sections::reading(lists);
        let mut prepared = Self {
            mesh: TetMesh::received(&mut sections),
            topology: Topology::default(),
            rest: RestState::default(),
            arrangement: Default::default(),
            stiffness: Vec::new(),
            bounds: FrequencyBounds::default(),
            initial: InitialState::default(),
            material: Material::default(),
            pinned: Vec::new(),
            embedding: None,
            scale: 1.0,
            operator: None,
        };
        prepared.exchange(&mut sections);
        prepared
    }

    /// All but the mesh.
    fn exchange(&mut self, sections: &mut Sections) {
        let Self {
            mesh: _,
            topology,
            rest,
            arrangement,
            stiffness,
            bounds,
            initial,
            material,
            pinned,
            embedding,
            scale,
            operator,
        } = self;
        of_topology(topology, sections);
        let RestState {
            inverse_edges,
            volumes,
            vertex_volumes,
            condition_numbers,
            total_volume,
        } = rest;
        sections.list(inverse_edges);
        sections.list(volumes);
        sections.list(vertex_volumes);
        sections.packed(condition_numbers);
        arrangement.exchange(sections);
        sections.list(stiffness);
        let FrequencyBounds {
            tets,
            vertices,
            highest,
        } = bounds;
        sections.list(tets);
        sections.list(vertices);
        let InitialState {
            origin,
            positions,
            velocities,
        } = initial;
        let mut origins = vec![*origin];
        sections.list(&mut origins);
        *origin = origins.first().copied().unwrap_or_default();
        sections.list(positions);
        sections.list(velocities);
        for number in [total_volume, highest, scale] {
            sections.number(number);
        }
        of_material(material, sections);
        let mut mask: Vec<u32> = pinned.iter().map(|&pinned| pinned.into()).collect();
        sections.list(&mut mask);
        *pinned = mask.into_iter().map(|pinned| pinned != 0).collect();
        if let Some(embedding) = sections.option(embedding, Embedding::default) {
            of_embedding(embedding, sections);
        }
        if let Some(operator) = sections.option(operator, OperatorState::default) {
            of_operator(operator, sections);
        }
    }
}

fn of_topology(topology: &mut Topology, sections: &mut Sections) {
    let Topology {
        surface_triangles,
        surface_edges,
        tets_per_vertex,
        component_of_vertex,
        components,
        non_manifold_edges,
        findings,
        slot_offsets,
        tet_slots,
        triangle_offsets,
        incident_triangles,
    } = topology;
    sections.list(surface_triangles);
    sections.list(surface_edges);
    for list in [
        tets_per_vertex,
        component_of_vertex,
        slot_offsets,
        triangle_offsets,
        incident_triangles,
    ] {
        sections.list(list);
    }
    sections.count(components);
    sections.count(non_manifold_edges);
    crate::mesh::Finding::exchange(findings, sections);
    sections.list(tet_slots);
}

fn of_material(material: &mut Material, sections: &mut Sections) {
    let Material {
        youngs_modulus,
        poisson_ratio,
        density,
        damping,
        friction,
    } = material;
    for number in [youngs_modulus, poisson_ratio, density, damping, friction] {
        sections.number(number);
    }
}

fn of_embedding(embedding: &mut Embedding, sections: &mut Sections) {
    let Embedding {
        anchors,
        sources,
        triangles,
        edges,
        triangle_offsets,
        incident_triangles,
        outside,
        farthest,
    } = embedding;
    sections.list(anchors);
    sections.list(triangles);
    sections.list(edges);
    for list in [sources, triangle_offsets, incident_triangles] {
        sections.list(list);
    }
    sections.count(outside);
    sections.number(farthest);
}

/// All but the buffers, which belong to a GPU.
fn of_operator(state: &mut OperatorState, sections: &mut Sections) {
    let OperatorState {
        meshes,
        target,
        made_for: (material, substep_seconds),
        operator:
            MassOperator {
                p0,
                p1,
                r,
                slowest_scaled_hz,
            },
        buffers: _,
    } = state;
    sections.count(target);
    let mut sizes = meshes.len() as u32;
    sections.count(&mut sizes);
    meshes.resize_with(sizes as usize, Condensed::default);
    for mesh in meshes {
        let Condensed {
            target,
            clusters: Clusters { offsets, vertices },
            coarse,
            reach,
        } = mesh;
        sections.count(target);
        sections.list(offsets);
        sections.list(vertices);
        coarse.exchange(sections);
        sections.list(reach);
    }
    of_material(material, sections);
    sections.list(p0);
    let mut rigid = f64::from(*p1);
    for number in [&mut rigid, substep_seconds, r] {
        sections.number(number);
    }
    *p1 = rigid as f32;
    if let Some(hertz) = sections.option(slowest_scaled_hz, f64::default) {
        sections.number(hertz);
    }
}
