// Serves the built page with Vite's preview server on 127.0.0.1 and prints its address as the last line.
// PORT=... asks for that port exactly; without it the first free one from 5173 on is taken.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const WWW = resolve(dirname(fileURLToPath(import.meta.url)), "../www");
const HOST = "127.0.0.1";
const FIRST_PORT = 5173;

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

function isFree(port) {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, HOST, () => probe.close(() => done(true)));
  });
}

async function choosePort() {
  if (process.env.PORT) {
    const port = Number(process.env.PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65535) fail(`PORT is '${process.env.PORT}'; it must be 1 to 65535`);
    if (!(await isFree(port))) fail(`port ${port} on ${HOST} is taken; choose another with PORT=...`);
    return port;
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + 100; port += 1) if (await isFree(port)) return port;
  return fail(`no free port from ${FIRST_PORT} to ${FIRST_PORT + 99} on ${HOST}`);
}

async function answers(address, child) {
  for (let attempt = 0; attempt < 150 && child.exitCode === null; attempt += 1) {
    const ok = await fetch(address).then((response) => response.ok, () => false);
    if (ok) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

if (!existsSync(join(WWW, "dist/index.html"))) fail("www/dist/index.html is missing; run 'make site'");
const port = await choosePort();
const vite = join(WWW, "node_modules/vite/bin/vite.js");
const child = spawn(process.execPath, [vite, "preview", "--host", HOST, "--port", String(port), "--strictPort", "--logLevel", "warn"], {
  cwd: WWW,
  stdio: ["ignore", "inherit", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code) => process.exit(code ?? 0));

const address = `http://${HOST}:${port}/`;
if (!(await answers(address, child))) {
  child.kill();
  fail(`the preview server does not answer at ${address}`);
}
console.log("Serving www/dist; stop with Ctrl-C. WebGPU needs a recent Chrome, Edge, Safari or Firefox.");
console.log(address);
