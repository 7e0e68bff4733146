import { afterEach, describe, expect, it } from "vitest";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const exported = (...lines: readonly object[]) =>
  [{ errata: 1, project: "1" }, ...lines, { end: 1, lines: lines.length }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

/** Sends a file as the form of a browser does. */
async function upload(text: string, path = "/import") {
  const form = new FormData();
  form.set("file", new File([text], "errata.ndjson", { type: "application/x-ndjson" }));
  const { response, body } = await visit(path, { method: "POST", body: form });
  return { status: response.status, type: response.headers.get("content-type"), body };
}

describe("the import form", () => {
  it("is on the page of the project's data, and needs no script", async () => {
    const { body } = await visit("/settings/data");
    expect(body).toContain('action="/import" encType="multipart/form-data"');
  });

  it.each([
    ["with a line feed at its end", (text: string) => text],
    ["without one", (text: string) => text.trimEnd()],
  ])("imports a file %s and shows the result as a page", async (_, edit) => {
    const { status, type, body } = await upload(edit(exported(createReport(1), createReport(2))));
    expect([status, type]).toEqual([200, expect.stringContaining("text/html")]);
    const text = body.replace(/<!-- -->/g, "");
    expect(text).toContain("Imported 2 lines, without first and last lines of exports.");
    expect(body).not.toContain("not a complete export");
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 2 });
  });

  it("says so if a part of the export is missing", async () => {
    const { body } = await upload(`${JSON.stringify(createReport(1))}\n`);
    expect(body).toContain("not a complete export");
  });

  it.each([
    ["an empty file", ""],
    ["a file that is not an export", "a,b\n"],
  ])("says that %s is none, and that nothing was imported", async (_, text) => {
    const { status, type, body } = await upload(text);
    expect([status, type]).toEqual([400, expect.stringContaining("text/html")]);
    expect(body).toContain("This is not an Errata export. Nothing was imported.");
  });

  it("names the line of a file with an invalid line, and says that those before it are stored", async () => {
    const { status, body } = await upload(`${JSON.stringify(createReport(1))}\n{}\n`);
    expect(status).toBe(400);
    expect(body).toContain("Expected line 2 to be a line of an export. The lines before it are");
  });
});

describe("an export of the same project", () => {
  it("is refused, in a form and in a request, before anything is stored", async () => {
    await log.append([createReport(1)]);
    const { body: text } = await visit("/export");
    const { status, body } = await upload(text);
    expect([
      status,
      (await visit("/import", { method: "POST", body: text })).response.status,
    ]).toEqual([409, 409]);
    expect(body).toContain("This is an export of this project");
    expect(body).toContain('action="/import?own=1"');
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 1 });
  });

  it("is imported when asked to", async () => {
    await log.append([createReport(1)]);
    const { body: text } = await visit("/export");
    const { status, body } = await upload(text, "/import?own=1");
    expect(status).toBe(200);
    expect(body).toContain("already known");
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ count: 1 });
  });

  it("of the same number, but of another installation, is imported", async () => {
    const { body: text } = await visit("/export");
    const { source } = JSON.parse(text.split("\n", 1)[0] ?? "") as { source: string };
    expect(source).toMatch(/^[0-9a-f]{32}$/);
    const other = text.replace(source, "0".repeat(32));
    expect((await visit("/import", { method: "POST", body: other })).response.status).toBe(200);
  });
});
