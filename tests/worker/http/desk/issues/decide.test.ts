import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import { createDecision, type DecisionInput } from "#src/core/issue/decision.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { limits } from "#src/core/limits.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

const DIGEST = "7F3K-Q2M9";
const PATH = `/d/${DIGEST}/state`;
const HOUR_MS = 3_600_000;

const mark = summarizeReport(createReport(1, { userSketch: "a71" }), "2026112117/0.0:0");
const issue = { ...aggregateReport(undefined, mark, NOW_MS), watermarks: { 0: 1 } };

/** The calls to the project store, which has one issue. */
const decisions: DecisionInput[] = [];
const recordingStore: ProjectStore = replaceMethods(projectStore, {
  async decide(digest, choice) {
    decisions.push(choice);
    if (digest !== issue.digest) return null;
    return { ...issue, state: choice.state, decision: createDecision(choice, issue, NOW_MS) };
  },
});

beforeEach(() => {
  decisions.length = 0;
});

const send = (body: BodyInit, type: string, headers: Record<string, string> = {}, path = PATH) =>
  visit(path, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
    services: { projectStore: recordingStore },
  });
const sendForm = (fields: Record<string, string>, headers?: Record<string, string>) =>
  send(String(new URLSearchParams(fields)), "application/x-www-form-urlencoded", headers);
const sendJson = (value: unknown, headers?: Record<string, string>) =>
  send(JSON.stringify(value), "application/json; charset=utf-8", headers);

const CHOICES: readonly (readonly [Record<string, string>, DecisionInput])[] = [
  [{ state: "open" }, { state: "open" }],
  [{ state: "archived" }, { state: "archived" }],
  [{ state: "resolved" }, { state: "resolved" }],
  [
    { state: "resolved", release: "web@1.4.0 <b>" },
    { state: "resolved", release: "web@1.4.0 <b>" },
  ],
  [
    { state: "resolved", release: "", inNextRelease: "1" },
    { state: "resolved", inNextRelease: true },
  ],
  [{ state: "snoozed" }, { state: "snoozed" }],
  [
    { state: "snoozed", duration: "1h" },
    { state: "snoozed", forMs: HOUR_MS },
  ],
  [
    { state: "snoozed", duration: "30d" },
    { state: "snoozed", forMs: 30 * 24 * HOUR_MS },
  ],
  [
    { state: "snoozed", until: new Date(NOW_MS + HOUR_MS).toISOString() },
    { state: "snoozed", untilMs: NOW_MS + HOUR_MS },
  ],
  [
    { state: "snoozed", count: "100" },
    { state: "snoozed", forCount: 100 },
  ],
  [
    { state: "snoozed", users: "10" },
    { state: "snoozed", forUsers: 10 },
  ],
  [
    { state: "snoozed", untilNextRelease: "1" },
    { state: "snoozed", untilNextRelease: true },
  ],
  [
    { state: "snoozed", duration: "1h", count: "5", untilEscalation: "1" },
    { state: "snoozed", forMs: HOUR_MS, forCount: 5, untilEscalation: true },
  ],
  // The former names. An issue that is ignored without a limit is archived.
  [{ state: "muted" }, { state: "archived" }],
  [{ state: "ignored" }, { state: "archived" }],
  [
    { state: "ignored", duration: "7d" },
    { state: "snoozed", forMs: 7 * 24 * HOUR_MS },
  ],
  [
    { state: "ignored", count: "5" },
    { state: "snoozed", forCount: 5 },
  ],
];

describe("a decision", () => {
  it.each(CHOICES)(
    "is accepted from a form with %j, and redirects to the issue",
    async (fields, choice) => {
      const { response } = await sendForm(fields);
      expect(response.status).toBe(303);
      expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
      expect(decisions).toEqual([choice]);
    },
  );

  it.each([
    ...CHOICES,
    [
      { state: "resolved", inNextRelease: true, release: null },
      { state: "resolved", inNextRelease: true },
    ],
    [{ state: "resolved", inNextRelease: false }, { state: "resolved" }],
    [
      { state: "snoozed", count: 100 },
      { state: "snoozed", forCount: 100 },
    ],
  ] as const)(
    "is accepted as JSON with %j, and the response contains the issue",
    async (fields, choice) => {
      const { response, body } = await sendJson(fields);
      expect(response.status).toBe(200);
      expect(decisions).toEqual([choice]);
      expect(JSON.parse(body)).toMatchObject({
        digest: DIGEST,
        state: choice.state,
        decision: { state: choice.state, atMs: NOW_MS },
      });
    },
  );

  it("sent by a form gets JSON if the client accepts it, without members internal to the index", async () => {
    const { response, body } = await sendForm(
      { state: "ignored", duration: "1h" },
      { accept: "application/json" },
    );
    expect(response.status).toBe(200);
    const json = JSON.parse(body);
    expect(json).toMatchObject({ url: `/d/${DIGEST}`, userCount: 1, count: 1 });
    expect(json.decision.untilMs).toBe(NOW_MS + HOUR_MS);
    for (const member of ["userSketch", "watermarks"]) expect(json).not.toHaveProperty(member);
  });

  it("is in the issue's JSON, with the current state in place of the stored one", async () => {
    const past = createDecision({ state: "snoozed", forMs: HOUR_MS }, issue, NOW_MS - HOUR_MS);
    const stored: Issue = { ...issue, state: "snoozed", decision: past };
    const storeWithIssue: ProjectStore = replaceMethods(projectStore, {
      getFreshIssue: async () => stored,
      readReport: async () => null,
    });
    const { body } = await visit(`/d/${DIGEST}.json`, {
      services: { projectStore: storeWithIssue },
    });
    const { v: _, ...decision } = JSON.parse(JSON.stringify(past));
    expect(JSON.parse(body)).toMatchObject({ state: "open", decision });
  });

  it.each<readonly [Record<string, string>, DecisionInput]>([
    [{ do: "snooze" }, { state: "snoozed", untilEscalation: true }],
    [{ do: "snooze-1h" }, { state: "snoozed", forMs: HOUR_MS }],
    [{ do: "snooze-7d" }, { state: "snoozed", forMs: 7 * 24 * HOUR_MS }],
    [{ do: "snooze-10" }, { state: "snoozed", forCount: 10 }],
    [{ do: "snooze-100" }, { state: "snoozed", forCount: 100 }],
    [{ do: "snooze-10-users" }, { state: "snoozed", forUsers: 10 }],
    [{ do: "snooze-release" }, { state: "snoozed", untilNextRelease: true }],
    [{ do: "archive" }, { state: "archived" }],
    // The clock of these tests is at 17:41 UTC.
    ...(
      [
        ["UTC", "2026-11-22T09:00:00Z"],
        ["nowhere", "2026-11-22T09:00:00Z"],
        ["Europe/Berlin", "2026-11-22T08:00:00Z"],
        ["America/New_York", "2026-11-22T14:00:00Z"],
        // It is tomorrow there already.
        ["Pacific/Auckland", "2026-11-22T20:00:00Z"],
      ] as const
    ).map(
      ([timeZone, at]) =>
        [
          { do: "snooze-tomorrow", timeZone },
          { state: "snoozed", untilMs: Date.parse(at) },
        ] as const,
    ),
  ])("is the entry of the menu: %j", async (fields, choice) => {
    const { response } = await sendForm({ timeZone: "UTC", ...fields });
    expect(response.status).toBe(303);
    expect(decisions).toEqual([choice]);
  });

  it("applies to the issue for every spelling of the digest", async () => {
    const form = "application/x-www-form-urlencoded";
    const { response } = await send("state=muted", form, {}, "/d/7f3kq2m9/state");
    expect(response.headers.get("location")).toBe(`/d/${DIGEST}`);
  });
});

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const TOO_LONG = "x".repeat(limits.maxReleaseChars + 1);

describe("an invalid decision is refused and changes nothing", () => {
  it.each([
    ["no field", FORM, "", 400, "bad-decision"],
    ["no state", FORM, "release=1.4.0", 400, "bad-decision"],
    ["an unknown state", FORM, "state=SECRET", 400, "bad-decision"],
    ["a state that every object has", FORM, "state=constructor", 400, "bad-decision"],
    ["two states", FORM, "state=open&state=muted", 400, "bad-form"],
    ["a state of another type", JSON_TYPE, '{"state":["open"]}', 400, "bad-decision"],
    ["an array", JSON_TYPE, '["state"]', 400, "bad-form"],
    ["null", JSON_TYPE, "null", 400, "bad-form"],
    ["broken JSON", JSON_TYPE, '{"state":"SECRET', 400, "bad-form"],
    ["an unknown field", FORM, "state=open&SECRET=1", 400, "bad-decision"],
    ["a field of another state", FORM, "state=muted&duration=1h", 400, "bad-decision"],
    ["an end that is no time", FORM, "state=snoozed&until=1h", 400, "bad-decision"],
    ["an end in the past", FORM, "state=snoozed&until=2020-01-01T00:00Z", 400, "bad-decision"],
    ["an end after more than a year", FORM, "state=snoozed&until=2040-01-01", 400, "bad-decision"],
    [
      "two ends",
      FORM,
      `state=snoozed&duration=1h&until=${new Date(NOW_MS + HOUR_MS).toISOString()}`,
      400,
      "bad-decision",
    ],
    ["users of another state", FORM, "state=archived&users=1", 400, "bad-decision"],
    ["an unknown entry of the menu", FORM, "do=SECRET", 400, "bad-decision"],
    ["an entry that is no state", FORM, "do=merge", 400, "bad-decision"],
    [
      "a release and the next release",
      FORM,
      "state=resolved&release=1&inNextRelease=1",
      400,
      "bad-decision",
    ],
    ["a long release", FORM, `state=resolved&release=${TOO_LONG}`, 400, "bad-decision"],
    ["a control character", FORM, "state=resolved&release=SECRET%00", 400, "bad-decision"],
    [
      "a release that is not text",
      JSON_TYPE,
      '{"state":"resolved","release":1}',
      400,
      "bad-decision",
    ],
    ["an invalid inNextRelease", FORM, "state=resolved&inNextRelease=SECRET", 400, "bad-decision"],
    ["a duration of zero", FORM, "state=ignored&duration=0h", 400, "bad-decision"],
    ["a duration above the maximum", FORM, "state=ignored&duration=367d", 400, "bad-decision"],
    [
      "a duration above the maximum, in hours",
      FORM,
      "state=ignored&duration=8785h",
      400,
      "bad-decision",
    ],
    ["a negative duration", FORM, "state=ignored&duration=-1d", 400, "bad-decision"],
    [
      "a duration without a unit",
      JSON_TYPE,
      '{"state":"ignored","duration":3600}',
      400,
      "bad-decision",
    ],
    ["a count below the minimum", FORM, "state=ignored&count=0", 400, "bad-decision"],
    [
      "a count above the maximum",
      FORM,
      `state=ignored&count=${limits.maxSnoozedCount + 1}`,
      400,
      "bad-decision",
    ],
    ["a fractional count", JSON_TYPE, '{"state":"ignored","count":1.5}', 400, "bad-decision"],
    ["an infinite count", JSON_TYPE, '{"state":"ignored","count":1e999}', 400, "bad-decision"],
    ["a count in exponential notation", FORM, "state=ignored&count=1e3", 400, "bad-decision"],
    ["another media type", "text/plain", "state=muted", 415, "bad-media-type"],
    ["a multipart form", "multipart/form-data; boundary=a", "--a--", 415, "bad-media-type"],
    ["a large body", FORM, `state=open&a=${"a".repeat(limits.maxFormBytes)}`, 413, "too-large"],
    ["deep JSON", JSON_TYPE, "[".repeat(limits.maxFormBytes), 400, "bad-form"],
  ])("with %s", async (_, type, sent, status, reason) => {
    const { response, body } = await send(sent, type);
    expect([response.status, JSON.parse(body).reason]).toEqual([status, reason]);
    expect(JSON.parse(body).detail).toMatch(/^Expected .+\.$/);
    expect(body).not.toContain("SECRET");
    expect(decisions).toEqual([]);
  });

  it("may have the longest release, duration and count", async () => {
    const release = "x".repeat(limits.maxReleaseChars);
    expect((await sendForm({ state: "resolved", release })).response.status).toBe(303);
    const longest = {
      duration: `${limits.maxSnoozedDays}d`,
      count: String(limits.maxSnoozedCount),
    };
    expect((await sendForm({ state: "ignored", ...longest })).response.status).toBe(303);
  });

  it.each(["/d/0000-0000/state", "/d/SECRET/state", "/d/7F3K-Q2M8/state"])(
    "for an unknown digest: %s",
    async (path) => {
      const { response, body } = await send("state=muted", FORM, {}, path);
      expect(response.status).toBe(404);
      expect(JSON.parse(body).reason).toBe("unknown-digest");
      expect(body).not.toContain("SECRET");
    },
  );

  it("with another method", async () => {
    expect((await visit(PATH)).response.status).toBe(404);
  });

  it("while the index is unavailable gets 503 with Retry-After", async () => {
    const unavailable: ProjectStore = replaceMethods(projectStore, {
      decide: () => Promise.reject(new Error("SECRET")),
    });
    const problems: unknown[] = [];
    const { response, body } = await visit(PATH, {
      method: "POST",
      headers: { "content-type": FORM },
      body: "state=muted",
      services: { projectStore: unavailable, logProblem: (cause) => problems.push(cause) },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(JSON.parse(body).reason).toBe("index-unavailable");
    expect(body).not.toContain("SECRET");
    expect(problems).toHaveLength(1);
  });

  it("from another machine, if no sign-in is configured", async () => {
    const { response } = await visit(PATH, {
      method: "POST",
      origin: "https://errata.example",
      headers: { "content-type": FORM },
      body: "state=muted",
      services: { projectStore: recordingStore },
    });
    expect(response.status).toBe(503);
    expect(decisions).toEqual([]);
  });
});

describe("a cross-site request cannot decide", () => {
  const OWN = "http://localhost:8787";
  it.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another site with the origin null", { "sec-fetch-site": "cross-site", origin: "null" }],
    ["another site without an origin", { "sec-fetch-site": "cross-site" }],
    ["another host of the site", { "sec-fetch-site": "same-site", origin: "http://a.localhost" }],
    [
      "another site that claims the origin of Errata",
      { "sec-fetch-site": "cross-site", origin: OWN },
    ],
    [
      "no site, with a foreign origin",
      { "sec-fetch-site": "none", origin: "https://evil.example" },
    ],
    ["an older browser", { origin: "https://evil.example" }],
    ["an older browser with the origin null", { origin: "null" }],
    ["another port", { origin: "http://localhost:8788" }],
    ["another scheme", { origin: "https://localhost:8787" }],
  ])("from %s", async (_, headers) => {
    for (const { response, body } of [
      await sendForm({ state: "muted" }, headers),
      await sendJson({ state: "muted" }, headers),
    ]) {
      expect(response.status).toBe(403);
      expect(JSON.parse(body).reason).toBe("cross-site");
      expect(response.headers.has("access-control-allow-origin")).toBe(false);
    }
    expect(decisions).toEqual([]);
  });

  it.each([
    ["a page of Errata", { "sec-fetch-site": "same-origin", origin: OWN }],
    ["a reload by the user", { "sec-fetch-site": "none" }],
    ["an older browser on a page of Errata", { origin: OWN }],
    ["curl", {}],
  ])("but %s can", async (_, headers) => {
    expect((await sendForm({ state: "muted" }, headers)).response.status).toBe(303);
  });
});

describe("in the real store", () => {
  // The clock of the index dates decisions; these reports are far from that time.
  const inThePast = { occurredAtMs: Date.UTC(2020, 0, 1) };
  const inTheFuture = { occurredAtMs: Date.UTC(2100, 0, 1) };
  const postDecision = (fields: Record<string, string>) =>
    visit(PATH, { method: "POST", body: new URLSearchParams(fields) });
  const readIssue = async () => JSON.parse((await visit(`/d/${DIGEST}.json`)).body);

  afterEach(() => emptyStore());

  it("a resolved issue stays resolved for older releases, and regresses for a later one", async () => {
    await log.append([createReport(1, { ...inThePast, release: "1.2.0" })]);
    expect((await postDecision({ state: "resolved", release: "1.3.0" })).response.status).toBe(303);
    await log.append([createReport(2, { ...inTheFuture, release: "1.2.0" })]);
    expect(await readIssue()).toMatchObject({
      state: "resolved",
      count: 2,
      decision: { state: "resolved", release: "1.3.0" },
    });
    const { body: resolved } = await visit(`/d/${DIGEST}?streaming=off`);
    expect(resolved).toContain('data-state="resolved"');
    expect(resolved).not.toContain("Regressed");

    await log.append([createReport(3, { ...inTheFuture, release: "1.4.0" })]);
    expect(await readIssue()).toMatchObject({
      state: "open",
      decision: { state: "open", resolvedInRelease: "1.3.0", regressedInRelease: "1.4.0" },
    });
    for (const path of [`/d/${DIGEST}?streaming=off`, "/?streaming=off"])
      expect((await visit(path)).body).toContain("Regressed");
  });

  it("every state can be set and reset", async () => {
    await log.append([createReport(1, inThePast)]);
    for (const fields of CHOICES.map(([sent]) => sent).filter(
      (sent) => !("duration" in sent || "until" in sent),
    )) {
      await postDecision(fields);
      const { state } = await readIssue();
      const former = { ignored: "count" in fields ? "snoozed" : "archived", muted: "archived" };
      expect(state).toBe(Reflect.get(former, `${fields.state}`) ?? fields.state);
      await postDecision({ state: "open" });
      expect((await readIssue()).state).toBe("open");
    }
  });

  it("a decision about a digest without reports is refused", async () => {
    expect((await postDecision({ state: "muted" })).response.status).toBe(404);
  });

  it("an issue that is snoozed for N occurrences is open again after N", async () => {
    await log.append([createReport(1, inThePast)]);
    await postDecision({ state: "snoozed", count: "2" });
    await log.append([createReport(2, inTheFuture)]);
    expect((await readIssue()).state).toBe("snoozed");
    await log.append([createReport(3, inTheFuture)]);
    expect((await readIssue()).state).toBe("open");
  });
});
