import { describe, expect, it } from "vitest";
import {
  parseDebugId,
  readInlineMap,
  readScriptFacts,
} from "#src/core/symbolication/script-facts.ts";
import { toBytes } from "#support/bytes.ts";
import { buildCases, readBuildFile } from "#support/source-maps/source-map-fixtures.ts";

const UUID = "91eaa542-0aa7-5ed6-b6ca-9ceca357a8d6";
const ID = UUID.replaceAll("-", "");
const OTHER = "55dd014d-5290-d2d1-8f92-01f0b90e26ac";

describe("readScriptFacts", () => {
  it("reads the id and the map's URL of every real build", () => {
    for (const { name, files } of buildCases) {
      for (const { path, map, debugId } of files) {
        expect(readScriptFacts(readBuildFile(name, path))).toEqual({
          debugId: debugId.replaceAll("-", ""),
          sourceMappingUrl: map.replace(/^.*\//, ""),
        });
      }
    }
  });

  const cases = [
    { name: "nothing in a plain script", script: "a()", facts: {} },
    {
      name: "the comments in any order",
      script: `a()\n//# sourceMappingURL=a.js.map\n//# debugId=${UUID}\n\n`,
      facts: { debugId: ID, sourceMappingUrl: "a.js.map" },
    },
    {
      name: "the last of two URLs",
      script: "//# sourceMappingURL=a\n//# sourceMappingURL=b",
      facts: { sourceMappingUrl: "b" },
    },
    {
      name: "the older form with @, and Windows line ends",
      script: "a()\r\n//@ sourceMappingURL=a.js.map\r\n",
      facts: { sourceMappingUrl: "a.js.map" },
    },
    {
      name: "a comment of CSS style",
      script: "a()\n/*# sourceMappingURL=a.js.map */",
      facts: { sourceMappingUrl: "a.js.map" },
    },
    {
      name: "the snippet of sentry-cli without a comment",
      script: `!function(){e._sentryDebugIds[n]="${UUID}"}();\na()`,
      facts: { debugId: ID },
    },
    {
      name: "the snippet of Turbopack",
      script: `(e._debugIds|| (e._debugIds={}))[n]="${UUID}"`,
      facts: { debugId: ID },
    },
    {
      name: "a second id of a script that was injected twice",
      script: `e._sentryDebugIds[n]="${OTHER}";\na()\n//# debugId=${UUID}`,
      facts: { debugId: ID, otherDebugId: OTHER.replaceAll("-", "") },
    },
    {
      name: "no comment inside of code",
      script: `var s="//# sourceMappingURL=a.js.map";`,
      facts: {},
    },
    {
      name: "no comment before the last five lines",
      script: `//# debugId=${UUID}${"\na()".repeat(5)}`,
      facts: {},
    },
    { name: "no id that is not a UUID", script: "//# debugId=latest", facts: {} },
  ];
  it.each(cases)("reads $name", ({ script, facts }) => {
    expect(readScriptFacts(toBytes(script))).toEqual(facts);
  });

  it("takes linear time for a script of repeated beginnings", () => {
    for (const piece of [
      "_debugIds",
      "_sentryDebugIds[n",
      "//# debugId=\n",
      "//# sourceMappingURL=",
    ]) {
      readScriptFacts(toBytes(piece.repeat(2_000_000 / piece.length)));
    }
  });
});

describe("parseDebugId", () => {
  const cases = [
    [UUID, ID],
    [UUID.toUpperCase(), ID],
    [ID, ID],
    [`${UUID}-0`, ID],
    [` ${UUID} `, ID],
    ["00000000-0000-0000-0000-000000000000", null],
    ["91eaa542", null],
    [`${UUID}x`, null],
    [42, null],
    [undefined, null],
  ] as const;
  it.each(cases)("reads %s as %s", (text, id) => {
    expect(parseDebugId(text)).toBe(id);
  });
});

describe("readInlineMap", () => {
  const map = '{"version":3,"sources":["größe.ts"]}';
  const urls = [
    `data:application/json;base64,${Buffer.from(map).toString("base64")}`,
    `data:application/json;charset=utf-8;base64,${Buffer.from(map).toString("base64")}`,
    `data:application/json,${encodeURIComponent(map)}`,
  ];
  it.each(urls)("reads %s", (url) => {
    expect(Buffer.from(readInlineMap(url) ?? []).toString()).toBe(map);
  });

  it.each(["app.js.map", "data:text/html,x", "data:application/json;base64,*"])(
    "reads no map from %s",
    (url) => {
      expect(readInlineMap(url)).toBeNull();
    },
  );
});
