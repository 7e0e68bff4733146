import { describe, expect, it } from "vitest";
import { visit } from "#support/http/visit.ts";

const ORIGIN = "http://localhost:8787";

describe("the description for address bars", () => {
  it.each([
    ["/opensearch.xml", "Errata", "/lookup"],
    ["/p/2/opensearch.xml", "Errata 2", "/p/2/lookup"],
    ["/p/987654321/opensearch.xml", "Errata 987654321", "/p/987654321/lookup"],
  ])("of %s names the lookup of its project, whoever asks", async (path, name, lookup) => {
    const { response, body } = await visit(path, { headers: {} });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("opensearchdescription+xml");
    expect(body).toContain(`<ShortName>${name}</ShortName>`);
    expect(name.length).toBeLessThanOrEqual(16);
    expect(body).toContain(`template="${ORIGIN}${lookup}?q={searchTerms}"`);
  });

  it("is linked from the pages of the desk only", async () => {
    const link = '<link rel="search" type="application/opensearchdescription+xml"';
    expect((await visit("/issues?streaming=off")).body).toContain(link);
    expect((await visit("/sign-in?streaming=off")).body).toContain("Errata");
  });
});

describe("the address of a QR code", () => {
  it.each([
    ["/R/7F3K-Q2M9", "/e/7F3K-Q2M9"],
    ["/P/2/R/7F3K-Q2M9", "/p/2/e/7F3K-Q2M9"],
    ["/R/7f3kq2m9", "/e/7f3kq2m9"],
  ])("%s leads to the receipt", async (path, receipt) => {
    const { response } = await visit(path);
    expect([response.status, response.headers.get("location")]).toEqual([302, receipt]);
  });
});
