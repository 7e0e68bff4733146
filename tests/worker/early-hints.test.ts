import { afterEach, expect, it } from "vitest";
import { visit } from "../support/app.ts";
import { fresh } from "../support/fresh.ts";
import { aReport } from "../support/reports.ts";
import { log } from "../support/store.ts";

afterEach(() => fresh());

const LINK = /^<([^>]+)>; rel=preload; as=(style|script)(; crossorigin)?$/;

it.each(["/", "/issues", "/issues?q=is%3Anoise", "/status", "/enter"])(
  "a page says in its head what it loads: %s",
  async (path) => {
    const { response, body } = await visit(path);
    const links = (response.headers.get("link") ?? "").split(", ").map((link) => LINK.exec(link));
    const hinted = links.map((link) => link?.[1]);
    const loaded = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
    expect(hinted.sort()).toEqual([...new Set(loaded)].sort());
    // Modules are fetched with CORS, style sheets without.
    for (const link of links) expect(link?.[2] === "script").toBe(link?.[3] !== undefined);
  },
);

it.each([
  "/d/7F3K-Q2M9",
  "/d/0000-0000?whole=1",
  "/e/7F3K-Q2M9",
  "/e/0000-0000",
  "/releases/1.4.0",
  "/p/1/issues",
  "/missing",
])("an address that names something is hinted to nobody: %s", async (path) => {
  await log.append([aReport(1, { release: "1.4.0" })]);
  const { response } = await visit(path);
  expect(response.headers.get("content-type")).toContain("text/html");
  expect(response.headers.has("link")).toBe(false);
});

it.each(["/issues.json", "/live.json", "/noise", "/lookup", "/monitoring"])(
  "nor is what is no page: %s",
  async (path) => {
    const { response } = await visit(path);
    expect(response.headers.has("link")).toBe(false);
  },
);
