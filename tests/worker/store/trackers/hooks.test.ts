// Webhooks of trackers, from the request to the decision.
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { trackerLimits } from "#src/core/trackers/tracker.ts";
import { reportNow, sendDue } from "#support/alerts/alert-steps.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { visit } from "#support/http/visit.ts";
import { getAlertSender, projectStore } from "#support/store/store.ts";
import { KINDS, type KindName } from "#support/trackers/fake-trackers.ts";
import { type SentHook, signHook, toStateHook } from "#support/trackers/hooks.ts";
import { connect, setUpTrackers, tell } from "#support/trackers/tracker-steps.ts";

const A = "7F3K-Q2M9";
const B = "0000-0000";
const MINUTE_MS = 60_000;
const OTHER_SECRET = `whsec_${btoa("another secret of thirty-two byte")}`;
const COMMIT = "3f2a9c1b04d5e6f708192a3b4c5d6e7f80910a2b";

const setUp = setUpTrackers();

const readDecision = async (digest = A) => (await projectStore.getFreshIssue(digest))?.decision;
const readActivity = async (digest = A) => (await projectStore.getAnnotations(digest)).activity;

async function createIn(kind: KindName) {
  await reportNow({ digest: A, release: "1.4.0" }, { digest: B });
  const { id, secret } = await connect(kind);
  await getAlertSender().createTrackerIssue(A, id, "Ada");
  // The first walk over followed issues.
  await sendDue();
  setUp.trackers.received.length = 0;
  setUp.clock.advance(MINUTE_MS);
  return { id, secret };
}

/** The status of a delivery, whose events are applied when this resolves. */
async function send(id: string, { headers, body }: SentHook): Promise<number> {
  const { response } = await visit(`/hooks/${id}`, { method: "POST", headers, body });
  await sendDue();
  return response.status;
}

const sign = (kind: KindName, body: object, secret: string, options = {}) =>
  signHook(kind, { ...body }, secret, { atMs: readNowMs(), ...options });

describe.each(KINDS)("%s", (kind) => {
  const state = (next: "open" | "closed", reason?: string) =>
    toStateHook(kind, 1, next, { atMs: readNowMs(), ...(reason && { reason }) });

  it("resolves the issue that was closed there, and reopens it again, without an echo", async () => {
    const { id, secret } = await createIn(kind);
    expect(await send(id, sign(kind, state("closed"), secret))).toBe(202);
    expect(await readDecision()).toMatchObject({ state: "resolved", inNextRelease: true });
    expect((await readActivity()).at(-1)?.by).toMatch(/^grace on /);
    setUp.clock.advance(MINUTE_MS);
    expect(await send(id, sign(kind, state("open"), secret))).toBe(202);
    expect(await readDecision()).toMatchObject({ state: "open" });
    await tell();
    expect(setUp.trackers.received).toEqual([]);
  });

  it("ignores the echo of a change by Errata", async () => {
    const { id, secret } = await createIn(kind);
    await projectStore.decide(A, { state: "resolved", release: "1.4.1" });
    await tell();
    const decided = await readDecision();
    expect(await send(id, sign(kind, state("closed"), secret))).toBe(202);
    expect(await readDecision()).toEqual(decided);
  });

  it("ignores a change that is older than the decision of a member", async () => {
    const { id, secret } = await createIn(kind);
    const late = sign(kind, state("closed"), secret, { id: "late" });
    setUp.clock.advance(MINUTE_MS);
    await projectStore.decide(A, { state: "resolved" });
    await projectStore.decide(A, { state: "open" });
    expect(await send(id, late)).toBe(202);
    expect(await readDecision()).toMatchObject({ state: "open" });
  });

  it.skipIf(kind === "gitlab")("archives an issue that is not planned", async () => {
    const { id, secret } = await createIn(kind);
    await send(id, sign(kind, state("closed", "not_planned"), secret));
    expect(await readDecision()).toMatchObject({ state: "archived" });
  });

  it("counts a delivery once, by its id and by its body", async () => {
    const { id, secret } = await createIn(kind);
    const closed = state("closed");
    expect(await send(id, sign(kind, closed, secret))).toBe(202);
    await projectStore.decide(A, { state: "open" });
    await tell();
    expect(await send(id, sign(kind, closed, secret))).toBe(202);
    expect(await send(id, sign(kind, closed, secret, { id: "another id" }))).toBe(202);
    expect(await readDecision()).toMatchObject({ state: "open" });
  });

  it("is refused without its signature", async () => {
    const { id, secret } = await createIn(kind);
    const { headers, body } = sign(kind, state("closed"), secret);
    expect(await send(id, { headers: {}, body })).toBe(401);
    expect(await send(id, { headers, body: `${body} ` })).toBe(401);
    expect(await send(id, sign(kind, state("closed"), OTHER_SECRET))).toBe(401);
    expect(await readDecision()).toBeUndefined();
  });

  it("accepts events that it does not know, and issues that nobody linked", async () => {
    const { id, secret } = await createIn(kind);
    expect(await send(id, sign(kind, { zen: "Keep it simple." }, secret, { event: "ping" }))).toBe(
      202,
    );
    const other = toStateHook(kind, 99, "closed", { atMs: readNowMs() });
    expect(await send(id, sign(kind, other, secret))).toBe(202);
    expect(await readDecision()).toBeUndefined();
  });
});

describe("the request", () => {
  it("to an unknown connection is not found", async () => {
    const { secret } = await createIn("github");
    expect(await send("f".repeat(32), sign("github", {}, secret))).toBe(404);
    expect(await send("no-id", sign("github", {}, secret))).toBe(404);
  });

  it("above 1 MB is refused before it is read", async () => {
    const { id, secret } = await createIn("github");
    const text = "x".repeat(trackerLimits.maxHookBytes);
    expect(await send(id, sign("github", { text }, secret))).toBe(413);
    expect(limits.maxBodyBytes).toBeGreaterThan(trackerLimits.maxHookBytes);
  });

  it("without JSON is refused", async () => {
    const { id, secret } = await createIn("gitlab");
    const headers = { "x-gitlab-token": secret };
    expect(await send(id, { headers, body: "payload=%7B%7D" })).toBe(400);
  });

  it("of Linear expires", async () => {
    const { id, secret } = await createIn("linear");
    const old = toStateHook("linear", 1, "closed", { atMs: readNowMs() - 6 * MINUTE_MS });
    expect(await send(id, sign("linear", old, secret))).toBe(401);
  });

  it("is refused while there is no secret", async () => {
    await reportNow({ digest: A });
    const input = { kind: "linear", project: "ENG", token: "lin_api_0123456789" } as const;
    const saved = await getAlertSender().saveTracker(undefined, input, "https://errata.example");
    const id = saved.ok ? saved.value.tracker.id : "";
    expect(saved).toMatchObject({ value: { tracker: { hasSecret: false } } });
    expect(await send(id, sign("linear", {}, ""))).toBe(401);
  });

  it("with a replaced secret is refused", async () => {
    const { id, secret } = await createIn("github");
    const next = await getAlertSender().rotateTrackerSecret(id);
    expect(await send(id, sign("github", { a: 1 }, secret))).toBe(401);
    expect(await send(id, sign("github", { a: 1 }, next ?? ""))).toBe(202);
  });
});

// Changes of code.

const REPOSITORY = { full_name: "acme/shop", default_branch: "main" };
const PROJECT = { path_with_namespace: "acme/web/shop", default_branch: "main" };

const push = (over: object = {}, message = `Clamp the total\n\nFixes ${A}`) => ({
  ref: "refs/heads/main",
  repository: REPOSITORY,
  commits: [
    {
      id: COMMIT,
      message,
      url: `https://github.com/acme/shop/commit/${COMMIT}`,
      author: { name: "Ada" },
      timestamp: "2026-11-30T00:00:00Z",
    },
  ],
  ...over,
});

const pull = (action: string, over: object = {}, repository: object = REPOSITORY) => ({
  action,
  repository,
  pull_request: {
    html_url: "https://github.com/acme/shop/pull/5",
    title: "Clamp the total",
    body: `Fixes ${A}`,
    user: { login: "ada" },
    merged: false,
    merge_commit_sha: COMMIT,
    updated_at: "2026-11-30T00:00:00Z",
    head: { repo: { full_name: "acme/shop" } },
    base: { ref: "main" },
    ...over,
  },
});

const mergeRequest = (action: string, over: object = {}) => ({
  object_kind: "merge_request",
  user: { username: "ada" },
  project: PROJECT,
  object_attributes: {
    action,
    state: action === "merge" ? "merged" : "opened",
    source_project_id: 7,
    target_project_id: 7,
    target_branch: "main",
    title: "Clamp the total",
    description: `Fixes ${A}`,
    url: "https://gitlab.com/acme/web/shop/-/merge_requests/5",
    merge_commit_sha: COMMIT,
    updated_at: "2026-11-30 00:00:00 UTC",
    ...over,
  },
});

const readKinds = async () =>
  (await projectStore.getAnnotations(A)).fix?.events?.map(({ kind }) => kind) ?? [];

describe("a change that fixes an issue", () => {
  it("is proposed, and merged into the default branch: resolved in the next release", async () => {
    const { id, secret } = await createIn("github");
    await send(id, sign("github", pull("opened"), secret, { event: "pull_request" }));
    expect(await readKinds()).toEqual(["proposed"]);
    expect(await readDecision()).toBeUndefined();
    const merged = pull("closed", { merged: true, updated_at: "2026-11-30T00:01:00Z" });
    await send(id, sign("github", merged, secret, { event: "pull_request" }));
    await send(id, sign("github", push(), secret, { event: "push" }));
    expect(await readKinds()).toContain("merged");
    expect(await readDecision()).toMatchObject({ state: "resolved", inNextRelease: true });
    expect((await readActivity()).filter(({ action }) => action === "resolved")).toHaveLength(1);
    await tell();
    expect(setUp.trackers.only("github").isOpen).toBe(false);
  });

  it("that is closed without a merge resolves nothing", async () => {
    const { id, secret } = await createIn("github");
    await send(id, sign("github", pull("opened"), secret, { event: "pull_request" }));
    const closed = pull("closed", { updated_at: "2026-11-30T00:01:00Z" });
    await send(id, sign("github", closed, secret, { event: "pull_request" }));
    expect(await readKinds()).toEqual(["proposed", "closed"]);
    expect(await readDecision()).toBeUndefined();
  });

  it("counts in GitLab too", async () => {
    const { id, secret } = await createIn("gitlab");
    await send(id, sign("gitlab", mergeRequest("open"), secret));
    expect(await readKinds()).toEqual(["proposed"]);
    await send(id, sign("gitlab", mergeRequest("merge"), secret));
    expect(await readKinds()).toContain("merged");
    expect(await readDecision()).toMatchObject({ state: "resolved" });
  });

  it("is pushed to the default branch in GitLab", async () => {
    const { id, secret } = await createIn("gitlab");
    await send(id, sign("gitlab", { object_kind: "push", project: PROJECT, ...push() }, secret));
    expect(await readDecision()).toMatchObject({ state: "resolved" });
  });

  const fork = { full_name: "mallory/shop", default_branch: "main" };
  it.each([
    ["a push to another branch", "github", push({ ref: "refs/heads/next" }), "push"],
    ["a push of a tag", "github", push({ ref: "refs/tags/main" }), "push"],
    ["a push to a fork", "github", push({ repository: fork }), "push"],
    ["a push without a repository", "github", push({ repository: undefined }), "push"],
    [
      "a pull request of a fork",
      "github",
      pull("opened", { head: { repo: fork } }),
      "pull_request",
    ],
    [
      "a merged one of a fork",
      "github",
      pull("closed", { merged: true, head: { repo: fork } }),
      "pull_request",
    ],
    ["one of a deleted fork", "github", pull("opened", { head: { repo: null } }), "pull_request"],
    [
      "a pull request in a fork",
      "github",
      pull("opened", { head: { repo: fork } }, fork),
      "pull_request",
    ],
    [
      "a merge into another branch",
      "github",
      pull("closed", { merged: true, base: { ref: "next" } }),
      "pull_request",
    ],
    ["a label", "github", pull("labeled"), "pull_request"],
    ["a merge request of a fork", "gitlab", mergeRequest("merge", { source_project_id: 8 }), ""],
    [
      "a merge request into another branch",
      "gitlab",
      mergeRequest("merge", { target_branch: "next" }),
      "",
    ],
    ["an approval", "gitlab", mergeRequest("approved"), ""],
    ["a wrong check character", "github", push({}, "Fixes 7F3K-Q2M8"), "push"],
    ["no keyword", "github", push({}, `See ${A}`), "push"],
    [
      "a URL with a script",
      "github",
      push({ commits: [{ id: COMMIT, message: `Fixes ${A}`, url: "javascript:alert(1)" }] }),
      "push",
    ],
    [
      "members of other types",
      "github",
      push({ commits: [{ id: 5, message: { fixes: A }, url: [] }, null, 7] }),
      "push",
    ],
  ] as const)("is not %s", async (_, kind, body, event) => {
    const { id, secret } = await createIn(kind);
    expect(await send(id, sign(kind, body, secret, { event }))).toBe(202);
    expect(await readDecision()).toBeUndefined();
    expect((await readKinds()).filter((one) => one === "merged")).toEqual([]);
  });

  it("in another repository of the project counts", async () => {
    const { id, secret } = await createIn("github");
    const api = { full_name: "acme/api", default_branch: "main" };
    expect(
      await send(id, sign("github", push({ repository: api }), secret, { event: "push" })),
    ).toBe(202);
    expect(await readDecision()).toBeUndefined();
    await projectStore.saveRepository({
      id: "r1",
      kind: "github",
      url: "https://trackers.example.com/github/acme/api",
    });
    const other = push({ repository: api, after: COMMIT });
    await send(id, sign("github", other, secret, { event: "push" }));
    expect(await readDecision()).toMatchObject({ state: "resolved" });
  });
});

describe("the state of an issue that no webhook announced", () => {
  it("is read when somebody opens it, at most once in ten minutes", async () => {
    await createIn("github");
    setUp.trackers.only("github").isOpen = false;
    await visit(`/d/${A}`);
    expect(await readDecision()).toMatchObject({ state: "resolved", inNextRelease: true });
    await visit(`/d/${A}`);
    expect(setUp.trackers.received).toHaveLength(1);
  });

  it("is read once a day", async () => {
    await createIn("jira");
    await sendDue();
    setUp.trackers.only("jira").isOpen = false;
    setUp.clock.advance(7 * 60 * MINUTE_MS);
    await sendDue();
    expect(await readDecision()).toMatchObject({ state: "resolved" });
  });

  it("decides nothing when the link is new", async () => {
    await reportNow({ digest: A });
    await connect("github");
    setUp.trackers.add("github", false);
    const headers = { origin: "http://localhost:8787", "content-type": "application/json" };
    const url = "https://trackers.example.com/github/acme/shop/issues/1";
    const body = JSON.stringify({ do: "link", url });
    const { response } = await visit(`/d/${A}/tracker`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    const { tracker } = await projectStore.getAnnotations(A);
    expect(tracker).toMatchObject({ item: "1", state: "closed", label: "acme/shop#1" });
    expect(await readDecision()).toBeUndefined();
  });

  it("waits while Errata has something to tell", async () => {
    await createIn("github");
    setUp.trackers.plan = () => new Response("", { status: 503 });
    await projectStore.decide(A, { state: "resolved" });
    await tell();
    setUp.trackers.plan = (_, __, perform) => perform();
    await visit(`/d/${A}`);
    expect(await readDecision()).toMatchObject({ state: "resolved" });
  });
});
