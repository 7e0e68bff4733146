import { afterEach, describe, expect, it } from "vitest";
import type { AnnotationChange } from "#src/core/issue/annotations.ts";
import { limits } from "#src/core/limits.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const OTHER = "0000-0000";
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const asJson = { headers: { accept: "application/json" } };

const send = (body: string, type = FORM, headers: Record<string, string> = {}, digest = DIGEST) =>
  visit(`/d/${digest}/annotations`, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
  });
const sendForm = (fields: Record<string, string>) => send(String(new URLSearchParams(fields)));
const readIssue = async (digest = DIGEST) =>
  JSON.parse((await visit(`/d/${digest}.json`)).body) as Record<string, never>;
const readPage = async (digest = DIGEST) => (await visit(`/d/${digest}`)).body;

describe("a comment", () => {
  it("appears on the issue as plain text, and in its JSON", async () => {
    await log.append([createReport(1)]);
    const { response } = await sendForm({ comment: " <b>seen</b>\r\nin the cart\0 " });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}#activity`);
    expect(await readPage()).toContain(
      "<span>&lt;b&gt;seen&lt;/b&gt;</span><span><br/>in the cart</span>",
    );
    const { annotations } = await readIssue();
    expect(annotations).toMatchObject({
      activity: [
        { action: "commented", atMs: expect.any(Number), text: "<b>seen</b>\nin the cart" },
      ],
    });
  });

  it("is removed by its id", async () => {
    await log.append([createReport(1)]);
    const { body } = await send('{"comment":"a slip"}', JSON_TYPE);
    const [{ id }] = JSON.parse(body).activity;
    expect((await sendForm({ deleteComment: id })).response.status).toBe(303);
    expect(await readPage()).not.toContain("a slip");
    expect((await readIssue()).annotations).toMatchObject({ activity: [] });
  });

  it("is stored once if a browser sends it twice", async () => {
    await log.append([createReport(1)]);
    for (const _ of ["pressed", "pressed again"]) await sendForm({ comment: "in the cart" });
    expect((await readIssue()).annotations).toMatchObject({ activity: [{ text: "in the cart" }] });
  });

  it("may have the maximum number of characters, counted as characters and not as bytes", async () => {
    await log.append([createReport(1)]);
    const text = "語".repeat(limits.maxCommentChars);
    expect((await sendForm({ comment: text })).response.status).toBe(303);
    expect((await sendForm({ comment: `${text}語` })).response.status).toBe(400);
  });
});

describe("the assignee of an issue", () => {
  it("can be the person who uses an open local Errata, who has no account", async () => {
    await log.append([createReport(1)]);
    expect(await readPage()).toMatch(
      /value="me"[^>]*>(<span[^>]*>[^<]*<\/span>)?<bdi>Assign to me</,
    );
    await sendForm({ assign: "me" });
    expect(await readIssue()).toMatchObject({ assignee: "me" });
  });

  it("is shown on the issue until the issue is unassigned", async () => {
    await log.append([createReport(1)]);
    await projectStore.annotate(DIGEST, { change: "assign", to: "Ada <Lovelace>" });
    expect(await readPage()).toContain("Assigned to <bdi>Ada &lt;Lovelace&gt;</bdi>");
    expect(await readIssue()).toMatchObject({ assignee: "Ada <Lovelace>" });
    await sendForm({ unassign: "1" });
    expect(await readIssue()).not.toHaveProperty("assignee");
    expect(await readPage()).toContain("Unassigned");
  });
});

describe("a merged issue", () => {
  const appendBoth = () =>
    log.append([createReport(1), createReport(2, { digest: OTHER, message: "it again" })]);

  it.each([
    { name: "a digest", field: OTHER },
    { name: "a digest with misread characters", field: "oooo oooo".replace(" ", "-") },
    {
      name: "the URL of its page",
      field: `https://errata.example/d/${OTHER}?report=${toReportId(2)}`,
    },
  ])("is counted in the target issue, which may be given as $name", async ({ field }) => {
    await appendBoth();
    const { response } = await sendForm({ merge: field });
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
    expect(await readIssue()).toMatchObject({ count: 2, mergedDigests: [OTHER] });
  });

  it("redirects to the target issue, as a page, as JSON and as Markdown", async () => {
    await appendBoth();
    await sendForm({ merge: OTHER });
    // Its snapshot in KV is deleted a little later.
    const withoutCopies: ProjectStore = replaceMethods(projectStore, {
      getIssue: projectStore.getFreshIssue,
    });
    const { response } = await visit(`/d/${OTHER}`, { services: { projectStore: withoutCopies } });
    expect([response.status, response.headers.get("location")]).toEqual([302, `/d/${DIGEST}`]);
    expect(await readIssue(OTHER)).toMatchObject({ digest: DIGEST, count: 2 });
    expect((await visit(`/d/${OTHER}.md`)).body).toContain(DIGEST);
  });

  it("can be merged into another issue, and the response leads to that issue", async () => {
    await appendBoth();
    const { response } = await sendForm({ mergeInto: OTHER });
    expect(response.headers.get("location")).toBe(`/d/${OTHER}`);
    expect(await readIssue(OTHER)).toMatchObject({ count: 2, mergedDigests: [DIGEST] });
  });

  it("names its target issue while the page shows an old snapshot", async () => {
    await appendBoth();
    const copy = await projectStore.getFreshIssue(OTHER);
    await sendForm({ merge: OTHER });
    const stale: ProjectStore = replaceMethods(projectStore, { getIssue: async () => copy });
    const { body } = await visit(`/d/${OTHER}`, { services: { projectStore: stale } });
    expect(body).toContain(`are now part of<!-- --> <a href="/d/${DIGEST}">${DIGEST}</a>`);
  });

  it("becomes an issue of its own when it is split off and occurs again", async () => {
    await appendBoth();
    await sendForm({ merge: OTHER });
    expect(await readPage()).toContain(`value="${OTHER}"`);
    const { response } = await sendForm({ split: OTHER });
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
    expect(await readIssue()).not.toHaveProperty("mergedDigests");
    await log.append([createReport(3, { digest: OTHER })]);
    expect(await readIssue(OTHER)).toMatchObject({ digest: OTHER, count: 1 });
  });

  it("stays unmerged if one of the given digests is unknown", async () => {
    await appendBoth();
    const { response, body } = await sendForm({ merge: `${OTHER} 1111-111X` });
    expect([response.status, JSON.parse(body).reason]).toEqual([404, "unknown-digest"]);
    expect(await readIssue()).toMatchObject({ count: 1 });
  });
});

describe("a client that accepts JSON", () => {
  it.each([
    ["a form", "comment=seen", FORM, asJson.headers],
    ["JSON", '{"comment":"seen"}', JSON_TYPE, {}],
  ])("sends %s and receives the annotations", async (_, body, type, headers) => {
    await log.append([createReport(1)]);
    const visited = await send(body, type, headers);
    expect(visited.response.status).toBe(200);
    expect(JSON.parse(visited.body)).toEqual({
      digest: DIGEST,
      url: `/d/${DIGEST}`,
      activity: [
        { atMs: expect.any(Number), action: "commented", text: "seen", id: expect.any(String) },
      ],
    });
  });

  it("can merge several issues, given as a list", async () => {
    await log.append([createReport(1), createReport(2, { digest: OTHER })]);
    const { response } = await send(JSON.stringify({ merge: [OTHER] }), JSON_TYPE);
    expect(response.status).toBe(200);
    expect(await readIssue()).toMatchObject({ count: 2 });
  });
});

describe("an invalid annotation is refused and changes nothing", () => {
  it.each([
    ["no field", FORM, "", 400, "bad-annotation"],
    ["an empty comment", FORM, "comment=", 400, "bad-annotation"],
    ["a blank comment", FORM, "comment=+%0D%0A+", 400, "bad-annotation"],
    ["a comment that is not text", JSON_TYPE, '{"comment":["SECRET"]}', 400, "bad-annotation"],
    ["an unknown field", FORM, "SECRET=1", 400, "bad-annotation"],
    ["a field that every object has", FORM, "constructor=1", 400, "bad-annotation"],
    ["two fields", FORM, "comment=SECRET&assign=SECRET", 400, "bad-annotation"],
    ["one field twice", FORM, "comment=SECRET&comment=SECRET", 400, "bad-form"],
    [
      "a long name",
      FORM,
      `assign=${"x".repeat(limits.maxAssigneeChars + 1)}`,
      400,
      "bad-annotation",
    ],
    ["the name of no member", FORM, "assign=SECRET", 400, "unknown-member"],
    ["a blank name", FORM, "assign=+", 400, "bad-annotation"],
    ["a control character", FORM, "assign=SECRET%00", 400, "bad-annotation"],
    ["an invalid unassign field", FORM, "unassign=SECRET", 400, "bad-annotation"],
    ["an invalid id", FORM, "deleteComment=SECRET", 400, "bad-annotation"],
    ["an invalid digest", FORM, "merge=SECRET", 400, "bad-annotation"],
    ["a misread digest beside another", FORM, `merge=${OTHER}+7F3K-Q2MG`, 400, "bad-annotation"],
    ["itself as the source", FORM, `merge=${DIGEST}`, 400, "bad-annotation"],
    ["itself as the target", FORM, `mergeInto=${DIGEST}`, 400, "bad-annotation"],
    ["two targets", FORM, `mergeInto=${OTHER}+1111-111X`, 400, "bad-annotation"],
    ["numbers for digests", JSON_TYPE, '{"merge":[1]}', 400, "bad-annotation"],
    ["an invalid digest to split off", FORM, "split=SECRET", 400, "bad-annotation"],
    ["another media type", "text/plain", "comment=SECRET", 415, "bad-media-type"],
    ["a large body", FORM, `comment=${"x".repeat(limits.maxFormBytes)}`, 413, "too-large"],
  ])("with %s", async (_, type, sent, status, reason) => {
    const changes: AnnotationChange[] = [];
    const recordingStore: ProjectStore = replaceMethods(projectStore, {
      async annotate(_digest, change) {
        changes.push(change);
        return null;
      },
    });
    const { response, body } = await visit(`/d/${DIGEST}/annotations`, {
      ...{ method: "POST", headers: { "content-type": type }, body: sent },
      services: { projectStore: recordingStore },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([status, reason]);
    expect(JSON.parse(body).detail).toMatch(/^Expected .+\.$/);
    expect(body).not.toContain("SECRET");
    expect(changes).toEqual([]);
  });

  it("for a digest without an issue, and for an invalid digest", async () => {
    for (const digest of [DIGEST, "nothing"]) {
      const { response } = await send("comment=x", FORM, {}, digest);
      expect(response.status).toBe(404);
    }
  });

  it("from another site", async () => {
    await log.append([createReport(1)]);
    const origins: readonly Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
    ];
    for (const headers of origins) {
      const { response } = await send("assign=Eve", FORM, headers);
      expect(response.status).toBe(403);
    }
    expect(await readIssue()).not.toHaveProperty("assignee");
  });

  it("can be retried if the index was unavailable", async () => {
    const unavailable: ProjectStore = replaceMethods(projectStore, {
      annotate: () => Promise.reject(new Error("unavailable")),
    });
    const { response, body } = await visit(`/d/${DIGEST}/annotations`, {
      ...{ method: "POST", headers: { "content-type": FORM }, body: "comment=x" },
      services: { projectStore: unavailable },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
    expect(response.headers.get("retry-after")).toBe("5");
  });
});
