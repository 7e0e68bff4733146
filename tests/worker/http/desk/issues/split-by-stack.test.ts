/** An issue whose new reports count by stack, through the paths that senders and members use. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { fail } from "#src/core/result.ts";
import { createMembers, ORIGIN, OWN_PAGE, type Proof } from "#support/accounts/members.ts";
import { TEST_SERVER_KEY, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { admin, finishJobs } from "#support/store/store.ts";

let members: Awaited<ReturnType<typeof createMembers>>;
let member: Proof;

beforeEach(async () => {
  members = await createMembers();
  member = (await members.invite("member")).proof;
});
afterEach(() => emptyStore());

const request = (path: string, init: RequestInit = {}) =>
  visit(path, { redirect: "manual", ...init, origin: ORIGIN, services: members.services });

/** Sends an error of a helper with one text for all callers; returns its digest. */
async function send(caller: string): Promise<string> {
  const frame = (module: string, name: string) => ({ module, function: name, in_app: true });
  const stacktrace = { frames: [frame("shop.pages", caller), frame("shop.http", "require")] };
  const error = { type: "ValueError", value: "parameter is missing", stacktrace };
  const { response } = await request("/api/1/store/", {
    method: "POST",
    body: JSON.stringify({ platform: "python", exception: { values: [error] } }),
    headers: { "x-sentry-auth": `Sentry sentry_key=${TEST_SERVER_KEY}` },
  });
  return readDigest(response);
}

const readDigest = ({ headers }: Response): string =>
  /digest="([^"]+)"/.exec(headers.get("errata-outcome") ?? "")?.[1] ?? "";

async function submit(digest: string, fields: Record<string, string>, proof = member) {
  const { response, body } = await request(`/d/${digest}/annotations`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { ...proof, ...OWN_PAGE, accept: "text/html" },
  });
  return { status: response.status, body, flash: response.headers.get("set-cookie") };
}

async function submitJson(digest: string, fields: object, proof = member) {
  const { response, body } = await request(`/d/${digest}/annotations`, {
    method: "POST",
    body: JSON.stringify(fields),
    headers: { ...proof, ...OWN_PAGE, "content-type": "application/json" },
  });
  return { status: response.status, body: JSON.parse(body) };
}

const open = async (path: string, proof = member) =>
  request(path, { headers: { ...proof, accept: "text/html" } });
const readPage = async (digest: string, proof = member) =>
  (await open(`/d/${digest}`, proof)).body.replaceAll("<!-- -->", "");
const readJson = async (path: string) =>
  JSON.parse((await request(path, { headers: { ...member, accept: "application/json" } })).body);

describe("an issue that is split by stack", () => {
  it("counts new reports in an issue for each stack, until they count together again", async () => {
    const digest = await send("show");
    expect(await send("list")).toBe(digest);
    const before = await readPage(digest);
    expect(before).toMatch(/<button[^>]*name="splitByStack">Split by stack</);
    expect(before).toContain("New reports with different stacks count in separate issues.");
    const { status, flash } = await submit(digest, { splitByStack: "1" });
    expect([status, flash]).toEqual([303, expect.stringContaining("split-by-stack")]);

    const [show, list] = [await send("show"), await send("list")];
    expect(new Set([digest, show, list]).size).toBe(3);
    expect(await send("show")).toBe(show);
    expect(await readJson(`/d/${digest}.json`)).toMatchObject({ count: 2, splitByStack: true });
    expect(await readJson(`/d/${show}.json`)).toMatchObject({
      count: 2,
      groupedBy: expect.stringContaining("and the stack “shop.http#require < shop.pages#show”"),
      grouping: { splitFrom: digest },
      aliases: [],
    });

    expect(await submit(digest, { groupTogether: "1" })).toMatchObject({ status: 303 });
    expect(await send("list")).toBe(digest);
    expect(await readJson(`/d/${digest}.json`)).toMatchObject({ count: 3 });
    expect(await readJson(`/d/${digest}.json`)).not.toHaveProperty("splitByStack");
  });

  it("names the issues of its stacks on its page, and they name it", async () => {
    const digest = await send("show");
    await submit(digest, { splitByStack: "1" });
    const stacks = Array.from({ length: limits.similarIssues + 2 }, (_, n) => `page_${n}`);
    const split: string[] = [];
    for (const caller of stacks) split.push(await send(caller));
    const page = await readPage(digest);
    expect(page).toContain("Split by stack. New reports count in");
    expect(page).toMatch(/<button[^>]*name="groupTogether">Count together again</);
    for (const [n, one] of split.entries()) {
      expect(page).toContain(`href="/d/${one}"`);
      expect(page).toContain(`other stack <code><bdi>shop.http#require &lt; shop.pages#page_${n}`);
    }
    const own = await readPage(split[0] ?? "");
    expect(own).toContain(`Split by stack from <a href="/d/${digest}">${digest}</a>`);
    expect(own).toContain(`action="/d/${digest}/annotations"`);
    expect(own).not.toContain(`name="splitByStack"`);
  });

  it("is found by its digest, and after its erasure its digest leads to the issues of its stacks", async () => {
    const digest = await send("show");
    await submit(digest, { splitByStack: "1" });
    const show = await send("show");
    const find = async () => (await readJson(`/lookup.json?q=${digest}`)).hits;
    expect(await find()).toMatchObject([{ digest }]);
    await admin.eraseIssue(digest);
    await finishJobs();
    expect(await find()).toMatchObject([{ digest: show }]);
    const list = await send("list");
    expect(new Set((await find()).map((hit: { digest: string }) => hit.digest))).toEqual(
      new Set([show, list]),
    );
    // The setting outlives the issue.
    expect((await submit(digest, { groupTogether: "1" })).status).toBe(303);
    expect(await send("show")).toBe(digest);
  });

  it("counts reports of minified code by position, without a key too", async () => {
    const sendFrom = async (column: number) => {
      const { response } = await request("/monitoring", {
        method: "POST",
        body: JSON.stringify({
          ...{ errata: 1, how: "uncaught", type: "Error", message: "Something went wrong" },
          stack: `Error: Something went wrong\n    at t (https://shop.example/assets/index-Bx81kQ2z.js:1:${column})`,
          url: "https://shop.example/cart/17",
        }),
        headers: { "content-type": "text/plain" },
      });
      return readDigest(response);
    };
    const digest = await sendFrom(991);
    expect(await sendFrom(2_973)).toBe(digest);
    await submit(digest, { splitByStack: "1" });
    const [first, second] = [await sendFrom(991), await sendFrom(2_973)];
    expect(new Set([digest, first, second]).size).toBe(3);
    expect(await readPage(digest)).toContain("other stack <code><bdi>assets/index.js:1:2973<");
    await submit(digest, { groupTogether: "1" });
    expect(await sendFrom(991)).toBe(digest);
  });

  it("can be the target of a merge of one of its stacks", async () => {
    const digest = await send("show");
    await submit(digest, { splitByStack: "1" });
    const show = await send("show");
    await submit(digest, { merge: show });
    await send("show");
    await send("list");
    expect(await readJson(`/d/${digest}.json`)).toMatchObject({ count: 3 });
  });
});

describe("the change", () => {
  it("is a member's or a token's, and the audit log has it once", async () => {
    const digest = await send("show");
    const viewer = (await members.invite("viewer")).proof;
    expect((await submit(digest, { splitByStack: "1" }, viewer)).status).toBe(403);
    expect(await readPage(digest, viewer)).not.toContain("splitByStack");
    const { proof } = await members.token("member");
    const done = await submitJson(digest, { splitByStack: true }, proof);
    expect(done).toMatchObject({ status: 200, body: { digest, splitByStack: true } });
    expect(await readPage(digest, viewer)).toContain("Split by stack.");
    const ended = await submitJson(digest, { groupTogether: true });
    expect(ended).toMatchObject({ status: 200, body: { splitByStack: false } });
    const owner = (await members.invite("owner")).proof;
    const audit = (await open("/settings/audit", owner)).body.replaceAll("<!-- -->", "");
    expect(audit.match(/split by stack/g)?.length).toBe(2);
    expect(audit).toContain("ended the split by stack of");
  });

  it("fails with a clear 4xx above the limit, for an unknown issue, and for a second split", async () => {
    const digest = await send("show");
    expect(await submitJson("0000-0000", { splitByStack: true })).toMatchObject({ status: 404 });
    expect(await submitJson(digest, { splitByStack: "x" })).toMatchObject({ status: 400 });
    await submit(digest, { splitByStack: "1" });
    expect(await submitJson(await send("list"), { splitByStack: true })).toMatchObject({
      status: 400,
      body: { reason: "bad-annotation", detail: expect.stringContaining("grouping key") },
    });
    await submit(digest, { groupTogether: "1" });
    for (let n = 0; n < limits.maxSplitDigests; n++) {
      const change = { do: "split-by-stack", project: "1", digest: `0000-${1000 + n}` } as const;
      await members.change(members.deployer, change);
    }
    expect(await submitJson(digest, { splitByStack: true })).toMatchObject({
      status: 409,
      body: { detail: `The limit is ${limits.maxSplitDigests} (maxSplitDigests).` },
    });
    expect((await submit(digest, { splitByStack: "1" })).flash).toContain("not-split");
  });

  it.each([
    [
      "its size",
      { reason: "too-many", limit: "maxProjectChars", max: limits.maxProjectChars },
      "Not saved. The settings of the projects have reached their maximum size.",
    ],
    ["the role", { reason: "forbidden" }, "No changes. You do not have permission for this."],
  ] as const)("is refused by the registry because of %s, as its message says", async (...row) => {
    const [, failure, message] = row;
    const digest = await send("show");
    const registry = { ...members.registry, applyChange: async () => fail(failure) };
    const services = { ...members.services, registry };
    const { response } = await visit(`/d/${digest}/annotations`, {
      method: "POST",
      body: new URLSearchParams({ splitByStack: "1" }),
      headers: { ...member, ...OWN_PAGE, accept: "text/html" },
      origin: ORIGIN,
      redirect: "manual",
      services,
    });
    const [flash = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    const cookie = `${member.cookie}; ${flash}`;
    expect((await open(`/d/${digest}`, { cookie })).body).toContain(message);
  });

  it("is not possible while the registry is unavailable", async () => {
    const digest = await send("show");
    const registry = {
      ...members.registry,
      applyChange: () => Promise.reject(new Error("down")),
    };
    const services = { ...members.services, registry, logProblem: () => {} };
    const { response, body } = await visit(`/d/${digest}/annotations`, {
      method: "POST",
      body: JSON.stringify({ splitByStack: true }),
      headers: { ...member, ...OWN_PAGE, "content-type": "application/json" },
      origin: ORIGIN,
      services,
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "registry-unavailable"]);
  });
});
