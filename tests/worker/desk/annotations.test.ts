import { afterEach, describe, expect, it } from "vitest";
import type { AnnotationChange } from "../../../src/core/issue/annotations.ts";
import { limits } from "../../../src/core/limits.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport, reportId } from "../../support/reports.ts";
import { desk, log } from "../../support/store.ts";

afterEach(() => fresh());

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
const form = (fields: Record<string, string>) => send(String(new URLSearchParams(fields)));
const issueNow = async (digest = DIGEST) =>
  JSON.parse((await visit(`/d/${digest}.json`)).body) as Record<string, never>;
const page = async (digest = DIGEST) => (await visit(`/d/${digest}`)).body;

describe("a comment", () => {
  it("appears on the issue as the text that it is, and in its JSON", async () => {
    await log.append([aReport(1)]);
    const { response } = await form({ comment: " <b>seen</b>\r\nin the cart\0 " });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}#activity`);
    expect(await page()).toContain("&lt;b&gt;seen&lt;/b&gt;\nin the cart");
    const { annotations } = await issueNow();
    expect(annotations).toMatchObject({
      activity: [
        { action: "commented", atMs: expect.any(Number), text: "<b>seen</b>\nin the cart" },
      ],
    });
  });

  it("is removed by its id", async () => {
    await log.append([aReport(1)]);
    const { body } = await send('{"comment":"a slip"}', JSON_TYPE);
    const [{ id }] = JSON.parse(body).activity;
    expect((await form({ deleteComment: id })).response.status).toBe(303);
    expect(await page()).not.toContain("a slip");
    expect((await issueNow()).annotations).toMatchObject({ activity: [] });
  });

  it("is one when a browser sends it twice", async () => {
    await log.append([aReport(1)]);
    for (const _ of ["pressed", "pressed again"]) await form({ comment: "in the cart" });
    expect((await issueNow()).annotations).toMatchObject({ activity: [{ text: "in the cart" }] });
  });

  it("may have as many characters as are kept, each as long as a form writes it", async () => {
    await log.append([aReport(1)]);
    const text = "語".repeat(limits.maxCommentChars);
    expect((await form({ comment: text })).response.status).toBe(303);
    expect((await form({ comment: `${text}語` })).response.status).toBe(400);
  });
});

describe("who looks after an issue", () => {
  it("is named on it, and nobody when it is given back", async () => {
    await log.append([aReport(1)]);
    const { response } = await form({ assign: " Ada <Lovelace> " });
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
    expect(await page()).toContain("Assigned to <bdi>Ada &lt;Lovelace&gt;</bdi>");
    expect(await issueNow()).toMatchObject({ assignee: "Ada <Lovelace>" });
    await form({ unassign: "1" });
    expect(await issueNow()).not.toHaveProperty("assignee");
    expect(await page()).toContain("Unassigned");
  });
});

describe("an issue that was merged", () => {
  const both = () => log.append([aReport(1), aReport(2, { digest: OTHER, message: "it again" })]);

  it.each([
    { name: "a digest", field: OTHER },
    { name: "a digest as somebody typed it", field: "oooo oooo".replace(" ", "-") },
    { name: "its address", field: `https://errata.example/d/${OTHER}?report=${reportId(2)}` },
  ])("is counted in the one that took it in, named by $name", async ({ field }) => {
    await both();
    const { response } = await form({ merge: field });
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
    expect(await issueNow()).toMatchObject({ count: 2, mergedDigests: [OTHER] });
  });

  it("leads to it, as a page, as JSON and as Markdown", async () => {
    await both();
    await form({ merge: OTHER });
    // Its copy in KV goes a little later.
    const withoutCopies: ProjectStore = { ...desk, getIssue: desk.getFreshIssue };
    const { response } = await visit(`/d/${OTHER}`, { services: { projectStore: withoutCopies } });
    expect([response.status, response.headers.get("location")]).toEqual([302, `/d/${DIGEST}`]);
    expect(await issueNow(OTHER)).toMatchObject({ digest: DIGEST, count: 2 });
    expect((await visit(`/d/${OTHER}.md`)).body).toContain(DIGEST);
  });

  it("is taken in by another, whose page comes next", async () => {
    await both();
    const { response } = await form({ mergeInto: OTHER });
    expect(response.headers.get("location")).toBe(`/d/${OTHER}`);
    expect(await issueNow(OTHER)).toMatchObject({ count: 2, mergedDigests: [DIGEST] });
  });

  it("says where it is while an old copy of it is shown", async () => {
    await both();
    const copy = await desk.getFreshIssue(OTHER);
    await form({ merge: OTHER });
    const stale: ProjectStore = { ...desk, getIssue: async () => copy };
    const { body } = await visit(`/d/${OTHER}`, { services: { projectStore: stale } });
    expect(body).toContain(`are now part of<!-- --> <a href="/d/${DIGEST}">${DIGEST}</a>`);
  });

  it("is an issue of its own again after it was split off and happens once more", async () => {
    await both();
    await form({ merge: OTHER });
    expect(await page()).toContain(`value="${OTHER}"`);
    const { response } = await form({ split: OTHER });
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
    expect(await issueNow()).not.toHaveProperty("mergedDigests");
    await log.append([aReport(3, { digest: OTHER })]);
    expect(await issueNow(OTHER)).toMatchObject({ digest: OTHER, count: 1 });
  });

  it("is not merged when one of several is not known", async () => {
    await both();
    const { response, body } = await form({ merge: `${OTHER} 1111-111X` });
    expect([response.status, JSON.parse(body).reason]).toEqual([404, "unknown-digest"]);
    expect(await issueNow()).toMatchObject({ count: 1 });
  });
});

describe("to who reads JSON", () => {
  it.each([
    ["a form", "assign=Ada", FORM, asJson.headers],
    ["JSON", '{"assign":"Ada"}', JSON_TYPE, {}],
  ])("%s is answered with the notes", async (_, body, type, headers) => {
    await log.append([aReport(1)]);
    const answer = await send(body, type, headers);
    expect(answer.response.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      digest: DIGEST,
      url: `/d/${DIGEST}`,
      v: 1,
      assignee: "Ada",
      activity: [{ atMs: expect.any(Number), action: "assigned", to: "Ada" }],
    });
  });

  it("merges several that stand in a list", async () => {
    await log.append([aReport(1), aReport(2, { digest: OTHER })]);
    const { response } = await send(JSON.stringify({ merge: [OTHER] }), JSON_TYPE);
    expect(response.status).toBe(200);
    expect(await issueNow()).toMatchObject({ count: 2 });
  });
});

describe("what asks for nothing is refused, and changes nothing", () => {
  it.each([
    ["nothing", FORM, "", 400, "bad-annotation"],
    ["an empty comment", FORM, "comment=", 400, "bad-annotation"],
    ["a blank comment", FORM, "comment=+%0D%0A+", 400, "bad-annotation"],
    ["a comment that is no text", JSON_TYPE, '{"comment":["SECRET"]}', 400, "bad-annotation"],
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
    ["a blank name", FORM, "assign=+", 400, "bad-annotation"],
    ["a control character", FORM, "assign=SECRET%00", 400, "bad-annotation"],
    ["unassign that is not true", FORM, "unassign=SECRET", 400, "bad-annotation"],
    ["no id", FORM, "deleteComment=SECRET", 400, "bad-annotation"],
    ["no digest", FORM, "merge=SECRET", 400, "bad-annotation"],
    ["a misread digest beside another", FORM, `merge=${OTHER}+7F3K-Q2MG`, 400, "bad-annotation"],
    ["the issue itself", FORM, `merge=${DIGEST}`, 400, "bad-annotation"],
    ["itself to take it in", FORM, `mergeInto=${DIGEST}`, 400, "bad-annotation"],
    ["two to take it in", FORM, `mergeInto=${OTHER}+1111-111X`, 400, "bad-annotation"],
    ["numbers for digests", JSON_TYPE, '{"merge":[1]}', 400, "bad-annotation"],
    ["no digest to split off", FORM, "split=SECRET", 400, "bad-annotation"],
    ["another media type", "text/plain", "comment=SECRET", 415, "bad-media-type"],
    ["a large body", FORM, `comment=${"x".repeat(limits.maxFormBytes)}`, 413, "too-large"],
  ])("%s", async (_, type, sent, status, reason) => {
    const reached: AnnotationChange[] = [];
    const watched: ProjectStore = {
      ...desk,
      async annotate(_digest, change) {
        reached.push(change);
        return null;
      },
    };
    const { response, body } = await visit(`/d/${DIGEST}/annotations`, {
      ...{ method: "POST", headers: { "content-type": type }, body: sent },
      services: { projectStore: watched },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([status, reason]);
    expect(JSON.parse(body).detail).toMatch(/^Expected .+\.$/);
    expect(body).not.toContain("SECRET");
    expect(reached).toEqual([]);
  });

  it("a digest without an issue, and what is no digest", async () => {
    for (const digest of [DIGEST, "nothing"]) {
      const { response } = await send("comment=x", FORM, {}, digest);
      expect(response.status).toBe(404);
    }
  });

  it("another site", async () => {
    await log.append([aReport(1)]);
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
    ]) {
      const { response } = await send("assign=Eve", FORM, headers);
      expect(response.status).toBe(403);
    }
    expect(await issueNow()).not.toHaveProperty("assignee");
  });

  it("while the index is away it may be sent again", async () => {
    const away: ProjectStore = { ...desk, annotate: () => Promise.reject(new Error("away")) };
    const { response, body } = await visit(`/d/${DIGEST}/annotations`, {
      ...{ method: "POST", headers: { "content-type": FORM }, body: "comment=x" },
      services: { projectStore: away },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
    expect(response.headers.get("retry-after")).toBe("5");
  });
});
