import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const page = readFileSync("tests/README.md", "utf8");

/** The files of a folder and its subfolders, without installed packages. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => !file.includes("node_modules"),
  );
}

describe("the conformance page", () => {
  const named = [...new Set(page.match(/(?<=`)[\w/.-]+\.tsx?(?=`)/g) ?? [])];

  it("names only tests that exist", () => {
    expect(named.length).toBeGreaterThan(30);
    const exists = (file: string) => existsSync(`tests/${file}`) || existsSync(file);
    expect(named.filter((file) => !exists(file))).toEqual([]);
  });

  it("names every test of the ingest formats and of real clients", () => {
    const tests = ["ingest", "clients"].flatMap((folder) =>
      listFiles(`tests/${folder}`)
        .filter((file) => file.endsWith(".test.ts"))
        .map((file) => `${folder}/${file}`),
    );
    expect(tests.filter((file) => !page.includes(file))).toEqual([]);
  });

  it("lists every capture in its table", () => {
    const captures = readdirSync("tests/fixtures")
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.replace(".json", ""));
    expect(captures.length).toBeGreaterThan(40);
    expect(captures.filter((name) => !page.includes(name))).toEqual([]);
  });
});
