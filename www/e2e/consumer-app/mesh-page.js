// The page for webpack and for plain script modules: the mesh module alone.
import { checkMesh } from "./mesh-check.js";

Object.assign(window, { checkMesh, result: {} });
