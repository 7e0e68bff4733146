import { describe, expect, it } from "vitest";
import { isTarHeader, readTarDirectory } from "#src/core/artifacts/tar.ts";
import { decodeText } from "#src/core/decode/parse-json.ts";
import { toByteRange } from "#src/core/symbolication/codec.ts";

/** One member of a ustar archive. */
function makeMember(path: string, contents: string, type = "0", prefix = ""): Buffer {
  const data = Buffer.from(contents);
  const header = Buffer.alloc(512);
  header.write(path, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${data.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156, "latin1");
  header.write("ustar\x0000", 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

const END = Buffer.alloc(1024);
const LONG = `assets/${"long/".repeat(30)}app.js`;

/** Paths and contents. */
function readAll(bytes: Uint8Array) {
  const range = toByteRange(bytes);
  const directory = readTarDirectory(range);
  if (!directory.ok) return directory.detail;
  return directory.value.map(({ path, offset, bytes: length }) => [
    path,
    decodeText(range.read(offset, length)),
  ]);
}

describe("readTarDirectory", () => {
  const cases = [
    {
      name: "files, but neither folders nor links",
      members: [
        makeMember("dist/", "", "5"),
        makeMember("dist/app.js", "a()"),
        makeMember("l", "", "2"),
      ],
      expected: [["dist/app.js", "a()"]],
    },
    {
      name: "paths with a prefix",
      members: [makeMember("app.js", "a()", "0", "dist/assets")],
      expected: [["dist/assets/app.js", "a()"]],
    },
    {
      name: "long names of GNU tar",
      members: [makeMember("././@LongLink", `${LONG}\0`, "L"), makeMember("cut", "a()")],
      expected: [[LONG, "a()"]],
    },
    {
      name: "long names of pax",
      members: [
        makeMember(
          "PaxHeaders/x",
          `30 mtime=1700000000.123456789\n${LONG.length + 9} path=${LONG}\n`,
          "x",
        ),
        makeMember("cut", "a()"),
      ],
      expected: [[LONG, "a()"]],
    },
    {
      name: "the last of two files with one path",
      members: [makeMember("a", "1"), makeMember("a", "2")],
      expected: [["a", "2"]],
    },
  ];
  it.each(cases)("lists $name", ({ members, expected }) => {
    expect(readAll(Buffer.concat([...members, END]))).toEqual(expected);
  });

  it("accepts an archive without the empty blocks at its end", () => {
    expect(readAll(makeMember("a", "1"))).toEqual([["a", "1"]]);
  });

  const broken = [
    { name: "an empty file", bytes: Buffer.alloc(0), detail: /at byte 0/ },
    {
      name: "contents that are cut off",
      bytes: makeMember("a", "x".repeat(2_000)).subarray(0, 1_024),
      detail: /at byte 512: expected 2000 bytes/,
    },
    {
      name: "a wrong checksum",
      bytes: Buffer.concat([makeMember("a", "1").fill("b", 0, 1), END]),
      detail: /at byte 0: expected a tar header/,
    },
    {
      name: "an extended header of megabytes",
      bytes: Buffer.concat([makeMember("a", "x".repeat(100_000), "x"), END]),
      detail: /at byte 0: expected an extended header of at most/,
    },
  ];
  it.each(broken)("refuses $name", ({ bytes, detail }) => {
    expect(readAll(bytes)).toMatch(detail);
  });

  it("recognizes the first block of an archive", () => {
    expect(isTarHeader(makeMember("a", "1"))).toBe(true);
    expect(isTarHeader(Buffer.alloc(512))).toBe(false);
    expect(isTarHeader(Buffer.from("console.log(1)".repeat(100)))).toBe(false);
  });
});

it("paths that are too long together are refused", () => {
  const long = makeMember("././@LongLink", `${"d/".repeat(30_000)}a.js\0`, "L");
  const members = Array.from({ length: 140 }, () => [long, makeMember("cut", "a()")]).flat();
  expect(readAll(Buffer.concat([...members, END]))).toContain("expected paths of at most 8388608");
});
