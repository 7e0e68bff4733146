// An issue whose stack a source map resolves: the small build of `stack-small`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../install.mjs";
import type { Rig } from "../rig/rig.ts";

const BUILD = "tests/fixtures/source-maps/vite-react";
const MAX_WAIT_MS = 20_000;
const CHECK_MS = 200;

interface Build {
  release: string;
  errors: readonly { stack: string; frames: readonly { name?: string; source?: string }[] }[];
  files: readonly { path: string; map: string }[];
}

/**
 * Uploads the script and its map, and reports an error of the build. Resolves to the digest when
 * its page names the sources.
 */
export async function seedMappedIssue(rig: Rig): Promise<string> {
  const origin = `http://127.0.0.1:${rig.port}`;
  const read = (path: string) => new Uint8Array(readFileSync(join(root, BUILD, path)));
  const { release, errors, files } = JSON.parse(
    new TextDecoder().decode(read("case.json")),
  ) as Build;
  const [error] = errors;
  if (error === undefined) throw new Error(`${BUILD} has no error.`);
  for (const path of files.flatMap(({ path, map }) => [path, map])) {
    await uploadFile(rig, { release, url: `~/${path.replace(/^dist\//, "")}` }, read(path));
  }
  const { stack } = error;
  const [, type = "", message = ""] = /^(\w+): (.*)$/m.exec(stack) ?? [];
  const body = { errata: 1, how: "uncaught", type, message, stack, release };
  const reported = await fetch(`${origin}/monitoring`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const { digest } = (await reported.json()) as { digest: string };
  await untilResolved(`${origin}/d/${digest}`);
  return digest;
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

/** A page without resolved frames would cost less, so it cannot be measured. */
async function untilResolved(url: string): Promise<void> {
  for (const untilMs = performance.now() + MAX_WAIT_MS; performance.now() < untilMs; ) {
    const response = await fetch(url, { headers: { accept: "text/html" } });
    if ((await response.text()).includes("src/money.js")) return;
    await sleep(CHECK_MS);
  }
  throw new Error(`${url} names no source.`);
}
