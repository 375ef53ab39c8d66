// An npm registry on the loopback that has only the packages of a folder (*.tgz). Prints its address.
// node npm-registry.mjs FOLDER
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const folder = process.argv[2];
const packages = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith(".tgz"))) {
  const path = join(folder, file);
  const manifest = JSON.parse(execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" }));
  const bytes = readFileSync(path);
  packages.set(manifest.name, { manifest, bytes, integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` });
}

const server = createServer((request, response) => {
  const [name, file] = request.url.slice(1).split("/-/");
  const found = packages.get(decodeURIComponent(name));
  if (!found) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
  } else if (file) {
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(found.bytes);
  } else {
    const { manifest, integrity } = found;
    const tarball = `http://127.0.0.1:${server.address().port}/${manifest.name}/-/${manifest.name}.tgz`;
    const versions = { [manifest.version]: { ...manifest, dist: { tarball, integrity }, hasInstallScript: Boolean(manifest.scripts?.postinstall) } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name: manifest.name, "dist-tags": { latest: manifest.version }, versions }));
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
