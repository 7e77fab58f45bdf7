// What the bench measures the machine with: a copy, arithmetic without memory, and a kernel that does next to nothing.

@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> target_values: array<vec4<f32>>;

// Which invocation of the whole dispatch this is; rows of workgroups, because a dimension holds only 65,535.
fn number(workgroup: vec3<u32>, workgroups: vec3<u32>, local: u32) -> u32 {
  return (workgroup.y * workgroups.x + workgroup.x) * 256u + local;
}

@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = number(workgroup, workgroups, local);
  if (i < arrayLength(&target_values)) { target_values[i] = source[i]; }
}

// 512 rounds of 32 independent multiply-adds: 32,768 operations an invocation.
@compute @workgroup_size(256)
fn multiply_add(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let i = number(workgroup, workgroups, local);
  let factor = source[0];
  let summand = source[1];
  var a = vec4<f32>(f32(local)); var b = a + 1.0; var c = a + 2.0; var d = a + 3.0;
  var e = a + 4.0; var f = a + 5.0; var g = a + 6.0; var h = a + 7.0;
  for (var round = 0; round < 512; round++) {
    a = a * factor + summand; b = b * factor + summand; c = c * factor + summand; d = d * factor + summand;
    e = e * factor + summand; f = f * factor + summand; g = g * factor + summand; h = h * factor + summand;
  }
  let sum = (a + b) + (c + d) + ((e + f) + (g + h));
  if (i < arrayLength(&target_values)) { target_values[i] = sum; }
}

@compute @workgroup_size(64)
fn tick(@builtin(local_invocation_index) local: u32) {
  target_values[local] += vec4<f32>(1.0);
}
