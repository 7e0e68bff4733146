import { describe, expect, it } from "vitest";
import {
  formatHandles,
  hasAssigningRule,
  parseHandles,
  parseOwnerRules,
} from "#src/core/repositories/owner-rules.ts";
import type { CodeSettings } from "#src/core/repositories/repository.ts";
import { createCodeFinder } from "#src/core/repositories/source-link.ts";
import { isAssigning, suggestOwner, toOwnedFacts } from "#src/core/repositories/suggest-owner.ts";
import { createReport } from "#support/reports/reports.ts";

const FACTS = {
  paths: [
    ["src", "cart", "total.ts"],
    ["src", "http.ts"],
  ],
  urls: ["https://shop.example/checkout/pay?step=2", "/checkout/:step"],
  tags: [
    ["area", "billing"],
    ["plan", "pro"],
  ],
} as const;

function suggest(rules: string, options: Partial<CodeSettings["settings"]> = {}, owners = "") {
  const file = { path: "CODEOWNERS", text: owners, release: "1.4", atMs: 1 };
  const settings = {
    v: 1,
    repositories: [],
    rules: { text: rules, savedMs: 1 },
    ...options,
  } as const;
  return suggestOwner(FACTS, { settings, codeOwners: [file] }, ["Ada", "Grace"]);
}

describe("a rule of owners", () => {
  it.each([
    ["path:src/cart/** -> @cart", "src/cart/total.ts"],
    ["path:http.ts → @cart", "src/http.ts"],
    ["path:/src/*.ts->@cart", "src/http.ts"],
    ["path:web/** -> @cart", undefined],
    ["url:/checkout/* -> @cart", "https://shop.example/checkout/pay?step=2"],
    ["url:/checkout/:step -> @cart", "/checkout/:step"],
    ["url:https://shop.example/checkout -> @cart", "https://shop.example/checkout/pay?step=2"],
    ["url:https://shop.example -> @cart", "https://shop.example/checkout/pay?step=2"],
    ["url:https://evil.example/** -> @cart", undefined],
    ["url:/pay -> @cart", undefined],
    ["tag:area=billing -> @cart", "billing"],
    ["tag:area=bill* -> @cart", "billing"],
    ["tag:area=bill -> @cart", undefined],
    ["tag:plan=billing -> @cart", undefined],
  ])("%s matches %s", (rule, matched) => {
    expect(suggest(rule)?.matched).toBe(matched);
  });

  it.each([
    ["path: -> @cart", 1],
    ["# fine\n\nsrc/cart @cart", 3],
    ["path:src/** @cart", 1],
    ["path:src/** ->", 1],
    ["host:src/** -> @cart", 1],
    ["tag:area -> @cart", 1],
    ["url:checkout -> @cart", 1],
    ["assign everyone path:src/** -> @cart", 1],
    ["path:src/** -> \u202eada", 1],
    [`path:${"a".repeat(900)} -> @cart`, 1],
    ["path:a -> b\n".repeat(201), 201],
  ])("%s is none", (text, line) => {
    expect(parseOwnerRules(text)).toMatchObject({ ok: false, line });
  });

  it("is the last one that matches, and comes before CODEOWNERS", () => {
    const rules = "path:src/** -> @web\ntag:area=billing -> @billing\nurl:/admin/* -> @admin";
    expect(suggest(rules, {}, "* @all")).toEqual({
      owners: ["@billing"],
      source: "rules",
      pattern: "tag:area=billing",
      line: 2,
      matched: "billing",
    });
    expect(suggest("url:/admin/* -> @admin", {}, "* @all\nsrc/http.ts @net")).toMatchObject({
      owners: ["@all"],
      source: "codeowners",
      matched: "src/cart/total.ts",
    });
    expect(suggest("", {}, "src/http.ts @net")).toMatchObject({ matched: "src/http.ts", line: 1 });
    expect(suggest("", {}, "")).toBeUndefined();
  });

  it.each([
    ["assign path:src/** -> Ada", true],
    ["\n\r\n \t assign page path:src/** -> Ada", true],
    ["# assign path:src/** -> Ada", false],
    ["path:assign /x -> Ada", false],
    ["assignment", false],
    ["\n".repeat(9_999), false],
  ])("of the text %j assigns issues: %s", (text, isAssigning) => {
    expect(hasAssigningRule(text)).toBe(isAssigning);
  });

  it("names a member by the table of the project, or by name", () => {
    const handles = [
      { handle: "@Acme/Cart", member: "Grace" },
      { handle: "@gone", member: "Gone" },
    ];
    expect(suggest("path:src/** -> @acme/cart", { handles })?.member).toBe("Grace");
    expect(suggest("path:src/** -> Ada")?.member).toBe("Ada");
    expect(suggest("path:src/** -> @ada")?.member).toBe("Ada");
    expect(suggest("path:src/** -> @gone", { handles })?.member).toBeUndefined();
    expect(suggest("", { handles }, "* @x/y @acme/cart")?.member).toBe("Grace");
  });

  it("assigns only if it says so, to a member, and reports of the level that it names", () => {
    const assigns = (rule: string, trust: "server" | "page" | "public") => {
      const found = suggest(rule);
      return found !== undefined && isAssigning(found, trust);
    };
    expect(assigns("path:src/** -> Ada", "server")).toBe(false);
    expect(assigns("assign path:src/** -> Ada", "server")).toBe(true);
    expect(assigns("assign path:src/** -> Ada", "page")).toBe(false);
    expect(assigns("assign page path:src/** -> Ada", "page")).toBe(true);
    expect(assigns("assign page path:src/** -> Ada", "public")).toBe(false);
    expect(assigns("assign public path:src/** -> Ada", "public")).toBe(true);
    expect(assigns("assign path:src/** -> @nobody", "server")).toBe(false);
  });
});

describe("the facts that rules compare", () => {
  it("have the paths of the application's frames, with the repository's folder", () => {
    const repository = { id: "1", kind: "github", url: "https://github.com/acme/shop" } as const;
    const finder = createCodeFinder({
      repositories: [{ ...repository, folder: "web" }],
      commits: [],
    });
    const frame = (file: string, inApp = true) => ({ file, inApp });
    const report = createReport(1, {
      frames: [frame("node_modules/x/a.js", false), frame("src/a.ts"), frame("/app/dist/b.js")],
      causes: [{ type: "Error", message: "", frames: [frame("src/c.ts")] }],
    });
    const resolved = {
      kind: "resolved",
      matchedBy: "debug-id",
      file: "src/b.ts",
      line: 2,
      column: 1,
      inApp: true,
    } as const;
    const unmapped = { kind: "unmapped", reason: "not-expected" } as const;
    const { paths } = toOwnedFacts(report, [[unmapped, unmapped, resolved]], finder);
    expect(paths.map((path) => path.join("/"))).toEqual([
      "web/src/a.ts",
      "web/src/b.ts",
      "web/src/c.ts",
    ]);
  });

  it("have paths without a repository too", () => {
    const report = createReport(1, { frames: [{ file: "src/a.ts", inApp: true }] });
    const finder = createCodeFinder({ repositories: [], commits: [] });
    expect(toOwnedFacts(report, [], finder).paths).toEqual([["src", "a.ts"]]);
  });
});

describe("the table of members", () => {
  it("has a name of CODEOWNERS and a member in each line", () => {
    const text = "@acme/cart = Ada Lovelace\n\n# team\nada@example.com=Ada Lovelace";
    const handles = parseHandles(text);
    expect(handles.ok && formatHandles(handles.value)).toBe(
      "@acme/cart = Ada Lovelace\nada@example.com = Ada Lovelace",
    );
    expect(parseHandles("@ada")).toMatchObject({ ok: false, line: 1 });
    expect(parseHandles("= Ada")).toMatchObject({ ok: false, line: 1 });
    expect(parseHandles("@a = b\n".repeat(201))).toMatchObject({ ok: false, line: 201 });
  });
});
