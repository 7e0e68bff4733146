// The step of `npm run deploy` and `npm start` that uploads the maps of the build to the Errata
// that was built.

import { readFileSync } from "node:fs";
import { eachMapping, TraceMap } from "@jridgewell/trace-mapping";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readNowMs } from "#support/clock/clock.ts";
import { workerFile } from "../../.tools/build/built.ts";
import { makeUploadToken, uploadOwnMaps } from "../../.tools/deploy/upload-maps.ts";
import { serve } from "../../.tools/local/serve.ts";

const { token, upload } = makeUploadToken(readNowMs());
let served: Awaited<ReturnType<typeof serve>>;
let origin = "";
beforeAll(async () => {
  served = await serve({ isLocalOpen: true, vars: { ERRATA_UPLOAD: upload } });
  ({ origin } = new URL(served.url));
}, 60_000);
afterAll(() => served?.stop());

const readJson = async (path: string) => (await fetch(`${origin}${path}`)).json();

it("another token uploads nothing, and the problem is named", async () => {
  const options = { maxMs: 0, pauseMs: 0 };
  const problem = await uploadOwnMaps(origin, "sntrys_another", options);
  expect(problem).toContain("is not this deployment");
  expect((await readJson("/source-maps.json")).uploads).toEqual([]);
});

it("an error of the deployed Worker is shown in the source, with release and function", async () => {
  expect(await uploadOwnMaps(origin, token, { maxMs: 0, pauseMs: 0 })).toBeUndefined();
  const { uploads } = await readJson("/source-maps.json");
  expect(uploads).toMatchObject([{ state: "ready", scriptsWithoutMap: 0, tool: "errata-build/1" }]);
  const { release } = uploads[0];
  expect(release).toMatch(/^errata@\d+\.\d+\.\d+\+[0-9a-f]{12}$/);

  const place = findPlace("core/grouping/parse-digest.ts");
  const stack = `RangeError: own\n    at a (worker.js:${place.line}:${place.column + 1})`;
  const body = { errata: 1, how: "uncaught", type: "RangeError", message: "own", stack, release };
  const sent = await fetch(`${origin}/monitoring`, { method: "POST", body: JSON.stringify(body) });
  const { digest } = (await sent.json()) as { digest: string };
  const { reports } = await readJson(`/d/${digest}.json`);
  expect(JSON.stringify(reports[0])).toContain("src/core/grouping/parse-digest.ts");
}, 60_000);

/** A place of the built Worker that comes from a source. */
function findPlace(source: string): { line: number; column: number } {
  const map = new TraceMap(readFileSync(`${workerFile}.map`, "utf8"));
  let found: { line: number; column: number } | undefined;
  eachMapping(map, ({ generatedLine: line, generatedColumn: column, source: name }) => {
    if (found === undefined && name?.endsWith(source)) found = { line, column };
  });
  return found ?? expect.fail(`${source} is not in the Worker`);
}
