import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findOwners, parseCodeOwners } from "#src/core/repositories/code-owners.ts";
import { matchesGlob, matchesName, parseGlob } from "#src/core/repositories/path-glob.ts";

const find = (text: string, file: string, path = "CODEOWNERS") =>
  findOwners(parseCodeOwners({ text, path }), file.split("/"));

describe("a pattern of CODEOWNERS", () => {
  it.each([
    ["*", "cart.ts", true],
    ["*", "src/cart.ts", true],
    ["*.ts", "src/cart.ts", true],
    ["*.ts", "src/cart.js", false],
    ["cart.ts", "src/cart.ts", true],
    ["/cart.ts", "src/cart.ts", false],
    ["/src/", "src/a/b.ts", true],
    ["/src", "src/a/b.ts", true],
    ["src/", "web/src/a.ts", true],
    ["docs/*", "docs/a.md", true],
    ["docs/*", "docs/build/a.md", false],
    ["docs/*", "web/docs/a.md", false],
    ["/docs/**", "docs/build/a.md", true],
    ["**/logs", "build/logs/a.log", true],
    ["**/logs", "logs/a.log", true],
    ["a/**/z.ts", "a/z.ts", true],
    ["a/**/z.ts", "a/b/c/z.ts", true],
    ["a/**/z.ts", "b/a/z.ts", false],
    ["a/**/b/**/z.ts", "a/b/x/b/y/z.ts", true],
    ["/src/*/cart.ts", "src/web/cart.ts", true],
    ["/src/*/cart.ts", "src/web/a/cart.ts", false],
    ["/src/cart?.ts", "src/cart1.ts", true],
    ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
    ["My\\ Docs/a.md", "My Docs/a.md", true],
    ["src/\\*.ts", "src/*.ts", true],
    ["src/\\*.ts", "src/a.ts", false],
    ["Src/a.ts", "src/a.ts", false],
    ["/", "a/b.ts", true],
  ])("%s, and the file %s: %s", (pattern, file, isOwned) => {
    expect(find(`${pattern} @ada`, file) !== undefined).toBe(isOwned);
  });

  it("in GitLab may be in any folder, unless it begins with a slash", () => {
    expect(find("docs/a.md @ada", "web/docs/a.md", ".gitlab/CODEOWNERS")).toBeDefined();
    expect(find("/docs/a.md @ada", "web/docs/a.md", ".gitlab/CODEOWNERS")).toBeUndefined();
    expect(find("docs/a.md @ada", "web/docs/a.md", ".github/CODEOWNERS")).toBeUndefined();
  });
});

describe("CODEOWNERS", () => {
  it("gives a file the owners of the last rule that matches", () => {
    const text = "* @all\n/src/ @web  @acme/web ada@example.com # the shop\n/src/cart.ts @cart";
    expect(find(text, "src/a.ts")?.owners).toEqual(["@web", "@acme/web", "ada@example.com"]);
    expect(find(text, "src/cart.ts")).toMatchObject({
      owners: ["@cart"],
      rule: { line: 3, pattern: "/src/cart.ts" },
    });
  });

  it("leaves a file without owners, if the last rule has none", () => {
    expect(find("* @all\n/src/legacy/", "src/legacy/a.ts")).toBeUndefined();
  });

  it("skips comments, negations, empty lines and lines whose owners are none", () => {
    const text = "\ufeff# x\n\n* @all\r\n!src @ada\n\\#a @ada\nsrc/ nobody here\n  # y";
    expect(parseCodeOwners({ text, path: "CODEOWNERS" }).map(({ line }) => line)).toEqual([3, 5]);
    expect(find(text, "src/a.ts")?.owners).toEqual(["@all"]);
    expect(find(text, "#a")?.owners).toEqual(["@ada"]);
  });

  it("has sections in GitLab: each has its own last rule, and may have default owners", () => {
    const text = [
      "* @all",
      "[Docs] @docs",
      "docs/",
      "*.md @writers",
      "^[Backend][2] @api",
      "api/ @api @db",
      "[docs]",
      "secret.md @legal",
    ].join("\n");
    expect(find(text, "docs/a.ts")?.owners).toEqual(["@all", "@docs"]);
    expect(find(text, "api/a.md")?.owners).toEqual(["@all", "@writers", "@api", "@db"]);
    expect(find(text, "secret.md")?.owners).toEqual(["@all", "@legal"]);
  });

  it("skips patterns that are longer than a path, whose matching would cost too much", () => {
    const name = "a".repeat(250);
    expect(find(`${"*".repeat(51)}${name} @ada`, name)).toBeUndefined();
    expect(find(`${"*".repeat(50)}${name} @ada`, name)).toBeDefined();
  });

  it("reads folders in brackets as folders", () => {
    expect(find("[id]/page.tsx @ada", "app/[id]/page.tsx")).toBeUndefined();
    expect(find("[id]/page.tsx @ada", "[id]/page.tsx")?.owners).toEqual(["@ada"]);
  });

  it("of any text parses to rules whose lines are in it, in no more than a moment", () => {
    const word = fc.constantFrom(
      "*",
      "**",
      "/",
      "a",
      "\\",
      " ",
      "@a",
      "[",
      "]",
      "^",
      "#",
      "!",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join("");
        const rules = parseCodeOwners({ text, path: "CODEOWNERS" });
        const lines = text.split("\n");
        for (const { line, pattern } of rules) expect(lines[line - 1]).toContain(pattern);
        expect(() => findOwners(rules, ["a", "a", "a"])).not.toThrow();
      }),
    );
    const deep = Array.from({ length: 40 }, () => "a".repeat(40));
    const stars = `${"*a".repeat(300)}b`;
    expect(find(`${`${stars}/**/`.repeat(20)}x @ada`, deep.join("/"))).toBeUndefined();
    expect(find(`* ${"a@".repeat(30_000)}.a`, "a")).toBeUndefined();
  });
});

describe("a glob", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  const toExpression = (pattern: string) =>
    new RegExp(`^${pattern.replace(/\*+/g, "*").replaceAll("*", ".*")}$`, "s");

  it("of a name matches as the regular expression does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
    fc.assert(
      fc.property(name, text, (pattern, one) => {
        expect(matchesName(pattern, one)).toBe(toExpression(pattern).test(one));
      }),
    );
  });

  it("of folders matches as the regular expression does", () => {
    const part = fc.constantFrom("a", "b", "**");
    const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 6 }), path, (parts, names) => {
        const glob = parseGlob(`/${parts.join("/")}`);
        const pattern = parts.map((one) => (one === "**" ? "(?:[^/]+/)*" : `${one}/`)).join("");
        const isMatch = new RegExp(`^${pattern}(?:[^/]+/)*$`).test(`${names.join("/")}/`);
        expect(glob !== undefined && matchesGlob(glob, names)).toBe(isMatch);
      }),
    );
  });
});
