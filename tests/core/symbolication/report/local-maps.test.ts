import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseFunctions } from "#src/core/symbolication/function-ranges.ts";
import { nameFunctions } from "#src/core/symbolication/names/parse-source.ts";
import { readLocalMap, resolveLocally } from "#src/core/symbolication/report/local-maps.ts";
import type { ResolveRequest } from "#src/core/symbolication/resolution.ts";

const folder = fileURLToPath(
  new URL("../../../fixtures/source-maps/vite-react/dist/assets", import.meta.url),
);
const NAME = "index-Cepvnn19.js";
const ID = "91eaa5420aa75ed6b6ca9ceca357a8d6";
const script = readFileSync(`${folder}/${NAME}`, "utf8");
const bytes = new Uint8Array(readFileSync(`${folder}/${NAME}.map`));
const FILE = `https://shop.example/assets/${NAME}`;
const VENDOR = "https://shop.example/assets/vendor.js";

const asking = (over: Partial<ResolveRequest> = {}): ResolveRequest => ({
  stacks: [
    [
      { file: FILE, line: 3, column: 868, function: "e.parse" },
      { file: VENDOR, line: 1 },
    ],
  ],
  images: [],
  ...over,
});

function readMap(name = `${NAME}.map`, functions = parseFunctions(script)) {
  const map = readLocalMap(name, bytes, functions, nameFunctions);
  if (!map.ok) throw new Error(map.detail);
  return map.value;
}

describe("a dropped map", () => {
  it("resolves the frames of its script, with names and lines, and no others", () => {
    expect(resolveLocally(asking(), [readMap()])).toMatchObject([
      [
        {
          kind: "resolved",
          file: "src/money.js",
          line: 11,
          function: "Money.parse",
          source: expect.stringContaining("throw new RangeError("),
          matchedBy: "name",
        },
        { kind: "unmapped", reason: "not-expected" },
      ],
    ]);
  });

  it("is found by its debug id, whatever the file is called", () => {
    const request = asking({ images: [{ file: FILE, debugId: ID }] });
    const [[frame] = []] = resolveLocally(request, [readMap("renamed.map", null)]);
    expect(frame).toMatchObject({ kind: "resolved", line: 11, matchedBy: "debug-id" });
  });

  it("does not resolve a script of its name with another debug id, or on another host", () => {
    const images = [{ file: FILE, debugId: ID.replaceAll("9", "8") }];
    const [[otherId] = []] = resolveLocally(asking({ images }), [readMap()]);
    expect(otherId).toMatchObject({ kind: "unmapped" });
    const frames = [FILE, `https://pay.example/v3/${NAME}`].map((file) => ({
      ...{ file, line: 3, column: 868 },
    }));
    const request = asking({ stacks: [frames], origins: [{ pageHost: "shop.example" }] });
    expect(resolveLocally(request, [readMap()])).toMatchObject([
      [{ kind: "resolved" }, { kind: "unmapped" }],
    ]);
  });

  it("is used for the only script of a stack, and not for one of several", () => {
    const other = [readMap("renamed.map", null)];
    const [[several] = []] = resolveLocally(asking(), other);
    expect(several?.kind).toBe("unmapped");
    const alone = asking({ stacks: [[{ file: FILE, line: 3, column: 868 }]] });
    expect(resolveLocally(alone, other)).toMatchObject([[{ kind: "resolved", line: 11 }]]);
  });

  it("that cannot be read says why", () => {
    const text = new TextEncoder().encode('{"version":3,"sources":[],"mappings":"?"}');
    expect(readLocalMap("a.js.map", text, null, nameFunctions)).toMatchObject({
      ok: false,
      reason: "invalid-map",
      detail: expect.stringMatching(/\S/),
    });
  });
});
