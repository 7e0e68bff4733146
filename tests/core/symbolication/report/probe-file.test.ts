import { describe, expect, it } from "vitest";
import { findUnusedUploads } from "#src/core/artifacts/unused-uploads.ts";
import type { ArtifactUpload } from "#src/core/ports/source-maps-port.ts";
import {
  createProbe,
  parseProbedFile,
  readProbe,
} from "#src/core/symbolication/report/probe-file.ts";
import type { FrameResolution, ResolvedFrame } from "#src/core/symbolication/resolution.ts";

const URL_OF_SCRIPT = "https://shop.example:8443/assets/app.js";
const UUID = "91eaa542-0aa7-5ed6-b6ca-9ceca357a8d6";

describe("a script to check", () => {
  it.each([
    [URL_OF_SCRIPT, { file: URL_OF_SCRIPT }],
    [`${URL_OF_SCRIPT}:3`, { file: URL_OF_SCRIPT, line: 3 }],
    [` ${URL_OF_SCRIPT}:3:868 `, { file: URL_OF_SCRIPT, line: 3, column: 868 }],
    ["index.js:3:540", { file: "index.js", line: 3, column: 540 }],
    ["~/assets/app.js", { file: "~/assets/app.js" }],
    ["", null],
    ["at e.parse (app.js:1:2)", null],
  ])("%j", (text, expected) => {
    expect(parseProbedFile(text, {})).toEqual(expected);
  });

  it("has a release, a dist and a debug id if they were given", () => {
    const build = { release: "1.4.0", dist: undefined, debugId: UUID };
    const asked = parseProbedFile("app.js:3:868", build);
    const debugId = UUID.replaceAll("-", "");
    expect(asked).toMatchObject({ release: "1.4.0", debugId });
    expect(asked && createProbe(asked)).toMatchObject({
      stacks: [expect.arrayContaining([{ file: "app.js", line: 3, column: 868 }])],
      images: [{ file: "app.js", debugId }],
      release: "1.4.0",
    });
  });
});

describe("the answer", () => {
  const place: ResolvedFrame = {
    kind: "resolved",
    file: "src/a.ts",
    line: 1,
    column: 1,
    inApp: true,
    matchedBy: "release",
  };
  const noSegment = { kind: "unmapped", reason: "no-segment", line: 1 } as const;
  const findAnswers = (asked: { line?: number }, ...first: readonly FrameResolution[]) => {
    const file = { file: "app.js", ...asked };
    const [stack = []] = createProbe(file).stacks;
    return readProbe(file, [stack.map((_, n) => first[n] ?? noSegment)]);
  };

  it("is a place if the position is mapped", () => {
    expect(findAnswers({ line: 3 }, place)).toEqual({ place, script: place });
  });

  it("is how the map was found if only another position is mapped", () => {
    expect(findAnswers({ line: 3 }, noSegment, place)).toEqual({ script: place });
    expect(findAnswers({}, noSegment, place)).toEqual({ script: place });
  });

  it("is why there is no map", () => {
    const missing = { kind: "unmapped", reason: "nothing-uploaded" } as const;
    expect(findAnswers({}, missing, missing)).toEqual({ script: missing });
    expect(readProbe({ file: "app.js" }, [])).toBeNull();
  });
});

describe("uploads that match nothing", () => {
  const DAY_MS = 86_400_000;
  const upload: ArtifactUpload = {
    id: "a",
    uploadedMs: 1_000,
    state: "ready",
    files: 1,
    maps: 1,
    scriptsWithoutMap: 0,
    storedBytes: 1,
  };

  it("are reported after a day, with the time of the first one", () => {
    const uploads = [{ ...upload, uploadedMs: 5_000 }, upload];
    expect(findUnusedUploads({ uploads }, 1_000 + DAY_MS)).toBe(1_000);
    expect(findUnusedUploads({ uploads }, 999 + DAY_MS)).toBeUndefined();
  });

  it("are not reported if one of them was used, or nothing was uploaded", () => {
    const uploads = [upload, { ...upload, lastUsedMs: 2_000 }];
    expect(findUnusedUploads({ uploads }, 9 * DAY_MS)).toBeUndefined();
    expect(findUnusedUploads({ uploads: [] }, 9 * DAY_MS)).toBeUndefined();
  });
});
