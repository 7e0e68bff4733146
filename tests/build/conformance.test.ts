import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const page = readFileSync("tests/README.md", "utf8");

describe("the conformance page is true", () => {
  const named = [...new Set(page.match(/(?<=`)[\w/.-]+\.tsx?(?=`)/g) ?? [])];

  it("every test that it names is there", () => {
    expect(named.length).toBeGreaterThan(30);
    const isThere = (file: string) => existsSync(`tests/${file}`) || existsSync(file);
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });

  it("every test of what arrives is named on it", () => {
    const tests = ["formats", "clients"].flatMap((folder) =>
      readdirSync(`tests/${folder}`)
        .filter((file) => file.endsWith(".test.ts"))
        .map((file) => `${folder}/${file}`),
    );
    expect(tests.filter((file) => !page.includes(file))).toEqual([]);
  });

  it("every capture is in its table", () => {
    const captures = readdirSync("tests/fixtures")
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.replace(".json", ""));
    expect(captures.length).toBeGreaterThan(40);
    expect(captures.filter((name) => !page.includes(name))).toEqual([]);
  });
});
