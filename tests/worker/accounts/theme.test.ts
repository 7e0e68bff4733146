import { describe, expect, it } from "vitest";
import { visit } from "../../support/app.ts";

const choose = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit("/theme", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: String(new URLSearchParams(fields)),
  });
const cookieOf = async (theme: string) =>
  (await choose({ theme })).response.headers.get("set-cookie") ?? "";

describe("the choice of colours", () => {
  it.each(["light", "dark"])("%s is remembered, and leads back", async (theme) => {
    const { response } = await choose({ theme, returnTo: "/issues?q=is%3Aopen&sort=count" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/issues?q=is%3Aopen&sort=count");
    expect(response.headers.get("set-cookie")).toMatch(
      new RegExp(`^errata-theme=${theme}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax$`),
    );
  });

  it("the system's is remembered by forgetting", async () => {
    expect(await cookieOf("system")).toContain("errata-theme=; Max-Age=0; Path=/");
  });

  it.each([
    ["light", 'data-theme="light"', '<meta name="color-scheme" content="light"/>'],
    ["dark", 'data-theme="dark"', '<meta name="color-scheme" content="dark"/>'],
    ["nonsense", '<html lang="en">', '<meta name="color-scheme" content="light dark"/>'],
  ])("the cookie %s is in the first bytes of every page", async (theme, html, meta) => {
    for (const path of ["/status", "/e/0000-0000", "/missing", "/self-test/shell"]) {
      const { body } = await visit(path, { headers: { cookie: `errata-theme=${theme}` } });
      expect(body).toContain(html);
      expect(body).toContain(meta);
    }
  });

  it.each([
    "//other.example/",
    "/\\other.example/",
    "/\t/other.example/",
    "/.//other.example",
    "https://other.example/",
    "javascript:alert(1)",
    "issues",
    "",
  ])("leads to no other host: %j", async (back) => {
    const { response } = await choose({ theme: "dark", returnTo: back });
    expect(response.headers.get("location")).toBe("/");
  });

  it.each([
    [{ theme: "pink" }, {}, 400, "bad-form"],
    [{}, {}, 400, "bad-form"],
    [{ theme: "dark" }, { "sec-fetch-site": "cross-site" }, 403, "cross-site"],
    [{ theme: "dark" }, { "content-type": "text/plain" }, 415, "bad-media-type"],
  ] as const)("refuses %j with %j", async (fields, headers, status, reason) => {
    const { response, body } = await choose(fields, headers);
    expect([response.status, JSON.parse(body).reason]).toEqual([status, reason]);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("is answered in JSON where that is sent", async () => {
    const { response, body } = await visit("/theme", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"theme":"dark"}',
    });
    expect([response.status, JSON.parse(body)]).toEqual([200, { theme: "dark" }]);
  });
});
