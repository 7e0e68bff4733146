import { describe, expect, it } from "vitest";
import { visit } from "#support/http/visit.ts";

const postTheme = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit("/theme", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: String(new URLSearchParams(fields)),
  });
const readThemeCookie = async (theme: string) =>
  (await postTheme({ theme })).response.headers.get("set-cookie") ?? "";

describe("the color scheme", () => {
  it.each(["light", "dark"])(
    "%s is stored in a cookie, and the response redirects back",
    async (theme) => {
      const { response } = await postTheme({ theme, returnTo: "/issues?q=is%3Aopen&sort=count" });
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe("/issues?q=is%3Aopen&sort=count");
      expect(response.headers.get("set-cookie")).toMatch(
        new RegExp(`^errata-theme=${theme}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax$`),
      );
    },
  );

  it("of the system is set by deleting the cookie", async () => {
    expect(await readThemeCookie("system")).toContain("errata-theme=; Max-Age=0; Path=/");
  });

  it.each([
    ["light", 'data-theme="light"', '<meta name="color-scheme" content="light"/>'],
    ["dark", 'data-theme="dark"', '<meta name="color-scheme" content="dark"/>'],
    ["nonsense", '<html lang="en">', '<meta name="color-scheme" content="light dark"/>'],
  ])("of the cookie %s is in the first bytes of every page", async (theme, html, meta) => {
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
  ])("is set without a redirect to another host: %j", async (returnTo) => {
    const { response } = await postTheme({ theme: "dark", returnTo: returnTo });
    expect(response.headers.get("location")).toBe("/");
  });

  it.each([
    [{ theme: "pink" }, {}, 400, "bad-form"],
    [{}, {}, 400, "bad-form"],
    [{ theme: "dark" }, { "sec-fetch-site": "cross-site" }, 403, "cross-site"],
    [{ theme: "dark" }, { "content-type": "text/plain" }, 415, "bad-media-type"],
  ] as const)("is not set by %j with %j", async (fields, headers, status, reason) => {
    const { response, body } = await postTheme(fields, headers);
    expect([response.status, JSON.parse(body).reason]).toEqual([status, reason]);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("gets a JSON response if it was sent as JSON", async () => {
    const { response, body } = await visit("/theme", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"theme":"dark"}',
    });
    expect([response.status, JSON.parse(body)]).toEqual([200, { theme: "dark" }]);
  });
});
