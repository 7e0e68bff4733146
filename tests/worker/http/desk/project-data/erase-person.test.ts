import { afterEach, describe, expect, it } from "vitest";
import type { TextErasure } from "#src/core/erasure.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { finishJobs, log, projectStore, uploadChunk } from "#support/store/store.ts";

skipPauses();

const [DIGEST, OTHER] = ["7F3K-Q2M9", "0000-0000"];
const PERSON = "ada@example.org";

afterEach(() => emptyStore());

const post = (path: string, fields: Record<string, string>) =>
  visit(path, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      origin: "http://localhost:8787",
    },
    body: `${new URLSearchParams(fields)}`,
  });

/** Previews an erasure; the id of the preview. */
async function preview(text: string): Promise<string> {
  const { response } = await post("/erase/preview", { text });
  expect(response.status).toBe(303);
  await finishJobs();
  return (response.headers.get("location") ?? "").replace("/erase/", "");
}

const read = async (id: string) =>
  JSON.parse((await visit(`/erase/${id}.json`)).body) as TextErasure;
const confirm = (id: string, fields: Record<string, string>) =>
  post("/erase", { preview: id, ...fields });

/** Thirty reports, of which one has a person in its tags, and one in its message. */
async function storeReports(): Promise<void> {
  await log.append([
    createReport(1, { tags: [["user", PERSON.toUpperCase()]], message: "no stock" }),
    ...Array.from({ length: 28 }, (_, n) =>
      createReport(10 + n, { digest: OTHER, message: "slow" }),
    ),
  ]);
  await uploadChunk();
  await log.append([createReport(2, { digest: OTHER, message: `no account of ${PERSON}` })]);
  const comment = { change: "comment", id: "c1", text: `asked by ${PERSON}` } as const;
  await projectStore.annotate(DIGEST, comment);
}

describe("the preview of an erasure", () => {
  it("counts reports, issues and comments in chunks and in the log, and erases nothing", async () => {
    await storeReports();
    const id = await preview(PERSON);
    expect(await read(id)).toEqual({
      id,
      text: PERSON,
      found: { examined: 30, reports: 2, issues: 2, comments: 1 },
      digests: [OTHER, DIGEST].sort(),
    });
    const { body } = await visit(`/d/${DIGEST}.json?report=${toReportId(1)}`);
    expect(body).toContain(PERSON.toUpperCase());
  });

  it("is a page that states what would be erased and asks to type the text", async () => {
    await storeReports();
    const { body } = await visit(`/erase/${await preview(PERSON)}`);
    const text = body.replaceAll("<!-- -->", "");
    expect(text).toContain("2 of 30 reports");
    for (const digest of [DIGEST, OTHER]) expect(text).toContain(`href="/d/${digest}"`);
    expect(text).toContain("Erase from 2 reports");
    expect(text).toContain(`Type <code dir="auto">${PERSON}</code> to confirm`);
  });

  it("offers only releases and saved views when nothing that it searched has the text", async () => {
    await storeReports();
    const { body } = await visit(`/erase/${await preview("nobody@example.org")}`);
    expect(body).toContain("Check the spelling. The preview does not search releases");
    expect(body).toContain("Erase from releases and saved views");
  });

  it("has no text in its URL", async () => {
    const { response } = await post("/erase/preview", { text: PERSON });
    expect(response.headers.get("location")).toMatch(/^\/erase\/[0-9a-f]{32}$/);
  });

  it.each(["f".repeat(32), "../status"])("is unknown by the id %s", async (id) => {
    expect((await visit(`/erase/${encodeURIComponent(id)}`)).response.status).toBe(404);
  });
});

describe("the confirmed erasure", () => {
  it("erases once the text is typed, and says from how many reports", async () => {
    await storeReports();
    const id = await preview(PERSON);
    // Two of thirty reports are more than 5 %.
    const { response } = await confirm(id, { confirm: ` ${PERSON} `, reports: "2" });
    expect(response.headers.get("location")).toBe(`/erase/${id}`);
    await finishJobs();
    expect(await read(id)).toEqual({
      id,
      found: { examined: 30, reports: 2, issues: 2, comments: 1 },
      digests: [OTHER, DIGEST].sort(),
      erasedReports: 2,
    });
    const { body } = await visit(`/erase/${id}`);
    expect(body.replaceAll("<!-- -->", "")).toContain(
      "Erased from 2 reports of 2 issues and 1 comment.",
    );
    expect(await projectStore.searchIssues("ada")).toEqual([]);
  });

  it("keeps a title that does not contain the text, and replaces it in one that does", async () => {
    await log.append([
      createReport(1, { tags: [["user", PERSON]], message: "no stock" }),
      createReport(2, { digest: OTHER, message: `no account of ${PERSON}` }),
    ]);
    const id = await preview(PERSON);
    await confirm(id, { confirm: PERSON, reports: "2" });
    await finishJobs();
    const titles = [DIGEST, OTHER].map(async (digest) => {
      const issue = await projectStore.getFreshIssue(digest);
      return [issue?.message, issue?.latestReports.length];
    });
    expect(await Promise.all(titles)).toEqual([
      ["no stock", 0],
      ["[erased]", 0],
    ]);
  });

  it.each([
    ["another text", { confirm: "grace@example.org", reports: "2" }],
    ["a common text without the number of reports", { confirm: PERSON }],
    ["another number of reports", { confirm: PERSON, reports: "3" }],
  ])("is refused with %s", async (_, fields) => {
    await log.append([createReport(1, { message: PERSON }), createReport(2, { message: PERSON })]);
    const id = await preview(PERSON);
    const { response } = await confirm(id, fields);
    expect([response.status, response.headers.get("location")]).toEqual([303, `/erase/${id}`]);
    expect(response.headers.get("set-cookie")).toContain("not-erased");
    await finishJobs();
    expect((await read(id)).text).toBe(PERSON);
  });

  it("is refused without the text", async () => {
    const { response } = await confirm(await preview(PERSON), { reports: "2" });
    expect(response.headers.get("set-cookie")).toContain("not-erased");
  });

  it("needs no number for a text that few reports contain", async () => {
    await log.append([
      createReport(1, { message: PERSON }),
      ...Array.from({ length: 30 }, (_, n) => createReport(10 + n, { digest: OTHER })),
    ]);
    const id = await preview(PERSON);
    await confirm(id, { confirm: PERSON });
    await finishJobs();
    expect((await read(id)).erasedReports).toBe(1);
  });
});
