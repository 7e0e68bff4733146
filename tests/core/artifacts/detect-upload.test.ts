import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { detectUpload } from "#src/core/artifacts/detect-upload.ts";
import { toBytes } from "#support/bytes.ts";
import { makeBundle, makeZip } from "#support/source-maps/make-zip.ts";
import {
  buildCases,
  readBuildFile,
  readEdgeFile,
} from "#support/source-maps/source-map-fixtures.ts";

describe("detectUpload", () => {
  const detected = [
    { name: "a map", bytes: readEdgeFile("plain.map"), kind: "map" },
    { name: "a map behind a guard", bytes: readEdgeFile("xssi.map"), kind: "map" },
    { name: "a map with a byte order mark", bytes: readEdgeFile("bom.map"), kind: "map" },
    { name: "a map with white space", bytes: readEdgeFile("pretty.map"), kind: "map" },
    { name: "a script", bytes: toBytes("console.log(1)"), kind: "script" },
    { name: "a script that begins with a block", bytes: toBytes("{let a=1}"), kind: "script" },
    { name: "a zip", bytes: makeZip([{ path: "a", bytes: toBytes("a") }]), kind: "zip" },
    { name: "an empty zip", bytes: makeZip([]), kind: "zip" },
    { name: "a bundle", bytes: makeBundle([]), kind: "bundle" },
    { name: "a gzip", bytes: gzipSync("a"), kind: "gzip" },
  ];
  it.each(detected)("recognizes $name", ({ bytes, kind }) => {
    expect(detectUpload(bytes)).toEqual({ ok: true, value: kind });
  });

  it("recognizes the scripts and maps of real builds", () => {
    for (const { name, files } of buildCases) {
      for (const { path, map } of files) {
        expect(detectUpload(readBuildFile(name, path))).toEqual({ ok: true, value: "script" });
        expect(detectUpload(readBuildFile(name, map))).toEqual({ ok: true, value: "map" });
      }
    }
  });

  const refused = [
    { name: "an empty file", bytes: toBytes(""), found: /it is empty/ },
    { name: "a blank file", bytes: toBytes(" \n"), found: /it is blank/ },
    { name: "a page of HTML", bytes: readEdgeFile("html.map"), found: /HTML or XML/ },
    { name: "a JSON array", bytes: readEdgeFile("array.map"), found: /JSON array/ },
    { name: "a PNG", bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0), found: /89504e470000/ },
  ];
  it.each(refused)("refuses $name and says what it found", ({ bytes, found }) => {
    expect(detectUpload(bytes)).toMatchObject({ ok: false, detail: expect.stringMatching(found) });
  });
});
