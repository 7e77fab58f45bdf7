// The stranger's page: one tetrahedron falls; the mesh module waits until it is asked for.
import { SoftBody, SoftBodyError } from "webgpu-softbody";
import { checkMesh } from "./mesh-check.js";

async function main() {
  const body = await SoftBody.create(document.querySelector("canvas")!, {
    // Given as arrays: no file to serve.
    mesh: { positions: new Float32Array([0, 1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 1]), tets: new Uint32Array([0, 1, 2, 3]) },
    material: "stiff",
    autoResize: false,
  });
  for (let i = 0; i < 30; i++) body.step(1 / 60);
  body.render();
  await body.settled();
  const positions = await body.readPositions();
  const refused = await body.load({ positions: new Float32Array([0, 0, 0]), tets: new Uint32Array([0, 1, 2, 3]) }).then(
    () => "nothing",
    (error: unknown) => (error instanceof SoftBodyError ? error.code : String(error)),
  );
  body.dispose();
  return { positions: [...positions], refused };
}

Object.assign(window, { checkMesh });
main().then(
  (result) => Object.assign(window, { result }),
  (error: unknown) => Object.assign(window, { result: { failed: String(error) } }),
);
