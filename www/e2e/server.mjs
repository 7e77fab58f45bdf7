// A static server for tests: one folder under a sub-path, every request written down.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".txt": "text/plain",
  ".json": "application/json",
};

/**
 * Serves `folder` under `prefix` ("/a/b/"), with further `headers`; all else is 404.
 * @returns {Promise<{ url: string, requests: { path: string, status: number }[], close(): Promise<void> }>}
 */
export async function serve(folder, prefix = "/", headers = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const note = (status) => requests.push({ path: pathname, status });
    try {
      if (!pathname.startsWith(prefix)) throw new Error("outside the prefix");
      const rest = normalize(decodeURIComponent(pathname.slice(prefix.length)) || "index.html");
      if (rest === ".." || rest.startsWith(`..${sep}`)) throw new Error("outside the folder");
      const body = await readFile(join(folder, rest));
      note(200);
      response.writeHead(200, {
        "content-type": TYPES[extname(rest)] ?? "application/octet-stream",
        "content-length": body.length,
        "cache-control": "no-store",
        ...headers,
      });
      response.end(body);
    } catch {
      note(404);
      response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><p>Not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}${prefix}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
