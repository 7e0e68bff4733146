// An issue whose stack a source map resolves: the small build of `stack-small`.

import { mappedBuild, reportMinifiedError } from "../../tests/support/source-maps/mapped-issue.ts";
import { readBuildFile } from "../../tests/support/source-maps/source-map-fixtures.ts";
import { waitUntil } from "../command/wait-until.ts";
import type { Rig } from "../rig/rig.ts";

const MAX_WAIT_MS = 20_000;
const CHECK_MS = 200;

/**
 * Uploads the script and its map, and reports an error of the build. Resolves to the digest when
 * its page names the sources: without resolved frames, a page costs less.
 */
export async function seedMappedIssue(rig: Rig): Promise<string> {
  const origin = `http://127.0.0.1:${rig.port}`;
  const { name, release, files } = mappedBuild;
  for (const path of files.flatMap(({ path, map }) => [path, map])) {
    const url = `~/${path.replace(/^dist\//, "")}`;
    await uploadFile(rig, { release, url }, new Uint8Array(readBuildFile(name, path)));
  }
  const digest = await reportMinifiedError(origin);
  const isResolved = async () => {
    const response = await fetch(`${origin}/d/${digest}`, { headers: { accept: "text/html" } });
    return (await response.text()).includes("src/money.js");
  };
  if (await waitUntil(isResolved, { maxMs: MAX_WAIT_MS, everyMs: CHECK_MS })) return digest;
  throw new Error(`The page of ${digest} names no source.`);
}

/** Uploads a script or a map. Resolves when it is converted. */
export async function uploadFile(
  { port }: Rig,
  place: { release: string; url: string },
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const { ok, status } = await fetch(`${origin}/source-maps?${new URLSearchParams(place)}`, {
    method: "PUT",
    headers: { origin, "sec-fetch-site": "same-origin" },
    body,
  });
  if (!ok) throw new Error(`The upload of ${place.url} was answered ${status}.`);
}
