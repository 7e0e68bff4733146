/** A minified stack of the build `vite-react`, and the upload of its map, for browser tests. */
import { buildCases, readBuildFile } from "./source-map-fixtures.ts";

const build = buildCases.find(({ name }) => name === "vite-react");
const [error] = build?.errors ?? [];
const [file] = build?.files ?? [];
if (build === undefined || error === undefined || file === undefined)
  throw new Error("The build is missing.");
const { name, release } = build;
/** The build. */
export const mappedBuild = build;
const { stack } = error;
const { path, map } = file;

/** The paths of the script and its map, for a file field. */
export const MAPPED_FILES = [map, path].map((one) => `tests/fixtures/source-maps/${name}/${one}`);

/** Reports the error as a page does. Resolves to its digest. */
export async function reportMinifiedError(origin: string): Promise<string> {
  const [, message = ""] = /^RangeError: (.*)$/m.exec(stack) ?? [];
  const body = { errata: 1, how: "uncaught", type: "RangeError", message, stack, release };
  const response = await fetch(`${origin}/monitoring`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { digest: string }).digest;
}

/** Uploads the map. Resolves to the id of the upload. */
export async function uploadMap(origin: string): Promise<string> {
  const query = new URLSearchParams({ release, url: `~/${map.replace(/^dist\//, "")}` });
  await fetch(`${origin}/source-maps?${query}`, {
    method: "PUT",
    headers: { origin, "sec-fetch-site": "same-origin" },
    body: new Uint8Array(readBuildFile(name, map)),
  });
  const response = await fetch(`${origin}/source-maps.json`);
  const { uploads } = (await response.json()) as { uploads: readonly { id: string }[] };
  return uploads[0]?.id ?? "";
}
