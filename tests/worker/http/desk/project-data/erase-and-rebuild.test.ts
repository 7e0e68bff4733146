import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import { createDecision } from "#src/core/issue/decision.ts";
import { limits } from "#src/core/limits.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { JobProgress } from "#src/core/stats/store-health.ts";
import type { ProjectAdmin } from "#src/store/client/project-admin.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import {
  admin,
  getIndex,
  log,
  NOW_MS,
  projectStore,
  finishJobs as runJobs,
  uploadChunk,
  writeSnapshots,
} from "#support/store/store.ts";

skipPauses();

const DIGEST = "7F3K-Q2M9";
const OTHER = "0000-0000";
const ISSUE = `/d/${DIGEST}/erase`;
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const asJson = { headers: { accept: JSON_TYPE } };

const summary = summarizeReport(createReport(1), "2026112117/0.0:0");
const issue = aggregateReport(undefined, summary, NOW_MS);

/**
 * The calls to the store, which has one issue with two reports; its list names only the first.
 */
const calls: (readonly unknown[])[] = [];
const recordingAdmin: ProjectAdmin = {
  ...admin,
  rebuildIndex: async () => void calls.push(["rebuild"]),
  eraseReport: async (id) => calls.push(["report", id]) > 0,
  async eraseIssue(digest) {
    if (digest !== DIGEST) return false;
    return calls.push(["issue", digest]) > 0;
  },
  getErasure: async (id) =>
    id === toReportId(7)
      ? { id, text: PERSON, found: { examined: 1, reports: 1, issues: 1, comments: 0 } }
      : null,
  eraseMatching: async (text) => void calls.push(["person", text]),
  eraseProject: async () => void calls.push(["project"]),
};
const oneIssueStore: ProjectStore = replaceMethods(projectStore, {
  getFreshIssue: async (digest) => (digest === DIGEST ? issue : null),
  async locateReport(id) {
    if (id === toReportId(2)) return { digest: DIGEST, position: summary.position };
    return id === toReportId(3) ? { digest: OTHER, position: summary.position } : null;
  },
});

beforeEach(() => {
  calls.length = 0;
});

const send = (path: string, body: BodyInit, type: string, headers: Record<string, string> = {}) =>
  visit(path, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
    services: { projectAdmin: recordingAdmin, projectStore: oneIssueStore },
  });
const sendForm = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  send(path, String(new URLSearchParams(fields)), FORM, headers);

const PERSON = "Ada.Lovelace@example.org";
const ISSUE_PAGE = `/d/${DIGEST}`;
const ERASED = { erased: true };
const jobStarted = (task: string) => ({ startedJob: task });
const jobPath = (task: string) => `/status?startedJob=${task}`;

const ERASURES: readonly (readonly [
  path: string,
  fields: Record<string, string>,
  call: readonly unknown[],
  location: string,
  status: number,
  json: object,
])[] = [
  [ISSUE, { confirm: DIGEST }, ["issue", DIGEST], "/issues", 202, jobStarted("erase-issue")],
  [ISSUE, { confirm: " 7f3kq2m9 " }, ["issue", DIGEST], "/issues", 202, jobStarted("erase-issue")],
  [ISSUE, { report: toReportId(1) }, ["report", toReportId(1)], ISSUE_PAGE, 200, ERASED],
  [
    ISSUE,
    { report: toReportId(2), confirm: "" },
    ["report", toReportId(2)],
    ISSUE_PAGE,
    200,
    ERASED,
  ],
  [
    "/d/7f3kq2m9/erase",
    { confirm: DIGEST },
    ["issue", DIGEST],
    "/issues",
    202,
    jobStarted("erase-issue"),
  ],
  [
    "/erase",
    { preview: toReportId(7), confirm: PERSON, reports: "1" },
    ["person", PERSON],
    `/erase/${toReportId(7)}`,
    202,
    jobStarted("erase-text"),
  ],
  [
    "/erase",
    { project: "erase everything" },
    ["project"],
    jobPath("erase-project"),
    202,
    jobStarted("erase-project"),
  ],
  ["/rebuild", {}, ["rebuild"], jobPath("rebuild"), 202, jobStarted("rebuild")],
];

describe.each(ERASURES)("%s %j", (path, fields, call, location, status, expectedJson) => {
  it("is accepted from a form, and redirects to the page with the result", async () => {
    const { response } = await sendForm(path, fields);
    expect([response.status, response.headers.get("location")]).toEqual([303, location]);
    expect(calls).toEqual([call]);
  });

  it("is accepted as JSON, and responds in JSON", async () => {
    const { response, body } = await send(path, JSON.stringify(fields), JSON_TYPE);
    expect([response.status, JSON.parse(body)]).toEqual([status, expectedJson]);
    const form = await sendForm(path, fields, { accept: JSON_TYPE });
    expect([form.response.status, JSON.parse(form.body)]).toEqual([status, expectedJson]);
    expect(calls).toEqual([call, call]);
  });

  it("is refused for other sites, and for other machines if no sign-in is configured", async () => {
    const origins: readonly Record<string, string>[] = [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site" },
      { origin: "null" },
    ];
    for (const headers of origins) {
      const { response, body } = await sendForm(path, fields, headers);
      expect([response.status, JSON.parse(body).reason]).toEqual([403, "cross-site"]);
    }
    const { response, body } = await visit(path, {
      method: "POST",
      origin: "https://errata.example",
      headers: { "content-type": FORM, accept: JSON_TYPE },
      body: String(new URLSearchParams(fields)),
      services: { projectAdmin: recordingAdmin, projectStore: oneIssueStore },
    });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "not-set-up"]);
    expect(calls).toEqual([]);
  });

  it("gets 503 with Retry-After while the store is unavailable", async () => {
    const unavailable = () => Promise.reject(new Error("SECRET"));
    const problems: unknown[] = [];
    const { response, body } = await visit(path, {
      method: "POST",
      headers: { "content-type": FORM },
      body: String(new URLSearchParams(fields)),
      services: {
        projectStore: oneIssueStore,
        projectAdmin: {
          ...admin,
          rebuildIndex: unavailable,
          eraseReport: unavailable,
          eraseIssue: unavailable,
          getErasure: unavailable,
          eraseMatching: unavailable,
          eraseProject: unavailable,
        },
        logProblem: (cause) => problems.push(cause),
      },
    });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(JSON.parse(body).reason).toBe("index-unavailable");
    expect(body).not.toContain("SECRET");
    expect(problems).toHaveLength(1);
  });

  it("is not available by GET", async () => {
    const { response } = await visit(`${path}?${new URLSearchParams(fields)}`, {
      services: { projectAdmin: recordingAdmin, projectStore: oneIssueStore },
    });
    expect(response.status).toBe(404);
    expect(calls).toEqual([]);
  });
});

const LONG = "x".repeat(limits.maxErasedTextChars + 1);
const LARGE = `text=${"a".repeat(limits.maxFormBytes)}`;

describe("an invalid erasure is refused and erases nothing", () => {
  it.each([
    ["no field", ISSUE, FORM, "", 400, "bad-erasure"],
    ["an empty confirmation", ISSUE, FORM, "confirm=", 400, "bad-erasure"],
    ["the digest of another issue", ISSUE, FORM, `confirm=${OTHER}`, 400, "bad-erasure"],
    ["an invalid digest", ISSUE, FORM, "confirm=SECRET", 400, "bad-erasure"],
    ["a confirmation that is not text", ISSUE, JSON_TYPE, '{"confirm":true}', 400, "bad-erasure"],
    [
      "an issue and a report",
      ISSUE,
      FORM,
      `confirm=${DIGEST}&report=${toReportId(1)}`,
      400,
      "bad-erasure",
    ],
    ["an unknown field", ISSUE, FORM, `confirm=${DIGEST}&SECRET=1`, 400, "bad-erasure"],
    ["a field twice", ISSUE, FORM, `confirm=${DIGEST}&confirm=${DIGEST}`, 400, "bad-form"],
    ["an invalid id", ISSUE, FORM, "report=SECRET", 400, "bad-erasure"],
    ["an id that is not text", ISSUE, JSON_TYPE, '{"report":["SECRET"]}', 400, "bad-erasure"],
    ["an unknown report", ISSUE, FORM, `report=${toReportId(9)}`, 404, "unknown-report"],
    ["a report of another issue", ISSUE, FORM, `report=${toReportId(3)}`, 404, "unknown-report"],
    ["an unknown issue", `/d/${OTHER}/erase`, FORM, `confirm=${OTHER}`, 404, "unknown-digest"],
    [
      "a report of an unknown issue",
      `/d/${OTHER}/erase`,
      FORM,
      `report=${toReportId(3)}`,
      404,
      "unknown-digest",
    ],
    ["an invalid digest", "/d/SECRET/erase", FORM, "confirm=SECRET", 404, "unknown-digest"],
    ["a misread digest", "/d/7F3K-Q2M8/erase", FORM, "confirm=7F3K-Q2M8", 404, "unknown-digest"],
    ["no field", "/erase", FORM, "", 400, "bad-erasure"],
    ["an empty text", "/erase/preview", FORM, "text=", 400, "bad-erasure"],
    ["spaces", "/erase/preview", FORM, "text=++++++++", 400, "bad-erasure"],
    ["a short text", "/erase/preview", FORM, "text=Ada", 400, "bad-erasure"],
    ["a short text among spaces", "/erase/preview", FORM, "text=++Ada++", 400, "bad-erasure"],
    ["a long text", "/erase/preview", FORM, `text=${LONG}`, 400, "bad-erasure"],
    ["a text that is a number", "/erase", JSON_TYPE, '{"person":12345}', 400, "bad-erasure"],
    ["a person and the project", "/erase", FORM, "confirm=SECRET&project=erase+everything", 400],
    ["the project, without the phrase", "/erase", FORM, "project=1", 400, "bad-erasure"],
    [
      "the project, with a wrong phrase",
      "/erase",
      FORM,
      "project=Erase+everything",
      400,
      "bad-erasure",
    ],
    [
      "the project, with a value that is not text",
      "/erase",
      JSON_TYPE,
      '{"project":true}',
      400,
      "bad-erasure",
    ],
    ["an array", "/erase", JSON_TYPE, '["SECRET"]', 400, "bad-form"],
    ["broken JSON", "/erase", JSON_TYPE, '{"person":"SECRET', 400, "bad-form"],
    ["deep JSON", "/erase", JSON_TYPE, "[".repeat(limits.maxFormBytes), 400, "bad-form"],
    ["another media type", "/erase", "text/plain", "text=SECRET", 415, "bad-media-type"],
    ["a multipart form", ISSUE, "multipart/form-data; boundary=a", "--a--", 415, "bad-media-type"],
    ["a large body", "/erase", FORM, LARGE, 413, "too-large"],
    ["a large body", ISSUE, FORM, LARGE, 413, "too-large"],
  ])("with %s at %s", async (_, path, type, sent, status, reason = "bad-erasure") => {
    const { response, body } = await send(path, sent, type);
    const { detail, ...rest } = JSON.parse(body);
    expect([response.status, rest]).toEqual([status, { reason }]);
    expect(detail).toMatch(status === 404 ? /^(No|This) issue .+\.$/ : /^Expected .+\.$/);
    expect(body).not.toContain("SECRET");
    expect(calls).toEqual([]);
  });

  it("may have the shortest and the longest text", async () => {
    for (const n of [limits.minErasedTextChars, limits.maxErasedTextChars]) {
      expect((await sendForm("/erase/preview", { text: "é".repeat(n) })).response.status).toBe(303);
    }
  });
});

/** Runs the jobs of the index to their end, and writes their snapshots. */
async function finishJobs(): Promise<void> {
  await runJobs();
  await getIndex().waitUntilIdle();
}

const postForm = (path: string, fields: Record<string, string>) =>
  visit(path, { method: "POST", body: new URLSearchParams(fields) });
/** The final contents of a page; its title is from the snapshot that it starts with. */
const readPage = async (path: string, services = {}) => {
  const { body } = await visit(`${path}?streaming=off`, { services });
  return extractMain(body);
};
const extractMain = (body: string) => body.slice(body.indexOf("<main"), body.indexOf("</main>"));
const readJson = async (path: string) => JSON.parse((await visit(path, asJson)).body);

describe("in the real store", () => {
  afterEach(() => emptyStore());

  it("an erased issue disappears from its page, its JSON, the list and the lookup", async () => {
    await log.append([
      createReport(1, { aliases: ["2338823894"] }),
      createReport(2, { digest: OTHER, message: "another fault" }),
    ]);
    await uploadChunk();
    await getIndex().waitUntilIdle();
    expect(await readPage(ISSUE_PAGE)).toContain("the price of the cart");
    expect((await postForm(ISSUE, { confirm: DIGEST })).response.status).toBe(303);
    await finishJobs();
    await writeSnapshots();
    for (const path of [
      ISSUE_PAGE,
      `${ISSUE_PAGE}.json`,
      `${ISSUE_PAGE}?report=${toReportId(1)}`,
    ]) {
      const { response, body } = await visit(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(body).not.toContain("the price of the cart");
    }
    for (const q of [DIGEST, "2338823894", toReportId(1), "price of the cart"]) {
      expect(await readJson(`/lookup?q=${encodeURIComponent(q)}`), q).toMatchObject({ hits: [] });
    }
    expect(await readJson("/")).toMatchObject({ total: 1, issues: [{ digest: OTHER }] });
    const again = await postForm(ISSUE, { confirm: DIGEST });
    expect([again.response.status, JSON.parse(again.body).reason]).toEqual([404, "unknown-digest"]);
  });

  it("a page that starts with an old snapshot replaces it with a note that the issue was erased", async () => {
    await log.append([createReport(1)]);
    const copy = await projectStore.getFreshIssue(DIGEST);
    await postForm(ISSUE, { confirm: DIGEST });
    await finishJobs();
    const stale: ProjectStore = replaceMethods(projectStore, { getIssue: async () => copy });
    const html = await readPage(ISSUE_PAGE, { projectStore: stale });
    expect(html).toContain("This issue and its reports were erased or have expired.");
    for (const erasedText of ["the price of the cart", "/state", "/erase", toReportId(1)]) {
      expect(html, erasedText).not.toContain(erasedText);
    }
  });

  it("an erased report disappears and still counts; erasing it again changes nothing", async () => {
    await log.append([createReport(1, { message: "of the gone" }), createReport(2)]);
    await uploadChunk();
    for (let times = 0; times < 2; times++) {
      const { response } = await postForm(ISSUE, { report: toReportId(1) });
      expect([response.status, response.headers.get("location")]).toEqual([303, ISSUE_PAGE]);
    }
    expect(await readJson(ISSUE_PAGE)).toMatchObject({
      count: 2,
      reports: [{ id: toReportId(2) }],
    });
    expect((await visit(`${ISSUE_PAGE}.json?report=${toReportId(1)}`)).response.status).toBe(404);
    expect(await readPage(ISSUE_PAGE)).not.toContain("of the gone");
    expect(await readJson("/lookup?q=gone")).toMatchObject({ hits: [] });
  });

  it("the data of an erased person disappear from all pages, in any letter case", async () => {
    await log.append([
      createReport(1, {
        message: `no account of ${PERSON}`,
        tags: [["user", PERSON.toUpperCase()]],
      }),
      createReport(2, { digest: OTHER, message: "another fault" }),
    ]);
    const { response } = await postForm("/erase/preview", { text: PERSON.toLowerCase() });
    await finishJobs();
    const preview = (response.headers.get("location") ?? "").replace("/erase/", "");
    await postForm("/erase", { preview, confirm: PERSON, reports: "1" });
    await finishJobs();
    for (const path of ["/", ISSUE_PAGE]) {
      expect((await readPage(path)).toLowerCase(), path).not.toContain("lovelace");
    }
    expect(await readJson(ISSUE_PAGE)).toMatchObject({ count: 1, reports: [] });
    expect(await readJson(`/d/${OTHER}`)).toMatchObject({ reports: [{ id: toReportId(2) }] });
  });

  it("an erased project is empty, and accepts reports again", async () => {
    await log.append([createReport(1), createReport(2, { digest: OTHER })]);
    await uploadChunk();
    await postForm("/erase", { project: "erase everything" });
    await finishJobs();
    expect(await readJson("/")).toMatchObject({ total: 0, issues: [] });
    expect(await readJson("/status")).toMatchObject({ received: { total: 0 } });
    await log.append([createReport(3)]);
    expect(await readJson(ISSUE_PAGE)).toMatchObject({ count: 1 });
  });

  it("a rebuilt project has the same issues as before", async () => {
    await log.append([createReport(1), createReport(2), createReport(3, { digest: OTHER })]);
    await postForm(`/d/${OTHER}/state`, { state: "archived" });
    await uploadChunk();
    await getIndex().waitUntilIdle();
    await postForm("/rebuild", {});
    await finishJobs();
    const { issues } = await readJson("/");
    expect(issues).toHaveLength(2);
    expect(issues).toContainEqual(expect.objectContaining({ digest: DIGEST, count: 2 }));
    expect(issues).toContainEqual(expect.objectContaining({ digest: OTHER, state: "archived" }));
  });
});

describe("the status page", () => {
  afterEach(() => emptyStore());

  const PROGRESS = { phase: "chunks", done: 1, total: 4 };
  const storeWithJob = (work: JobProgress): ProjectStore =>
    replaceMethods(projectStore, {
      getHealth: async () => ({ ...(await projectStore.getHealth()), work }),
    });

  it.each([
    [
      { job: "rebuild", jobs: 1, phase: "chunks", done: 12, total: 1_200 },
      "Rebuilding from KV: 12 of 1,200 chunks, phase “chunks”.",
    ],
    [
      { job: "erase-issue", jobs: 1, phase: "chunks", done: 0, total: 1 },
      "Erasing an issue: 0 of 1 chunk, phase “chunks”.",
    ],
    [
      { job: "erase-text", jobs: 3, phase: "issues", done: 12, total: 12 },
      "Erasing personal data: 12 of 12 chunks, phase “issues”, then 2 more jobs.",
    ],
    [
      { job: "preview-erasure", jobs: 1, phase: "chunks", done: 3, total: 4 },
      "Previewing an erasure: 3 of 4 chunks, phase “chunks”.",
    ],
    [
      { job: "erase-project", jobs: 2, phase: "delete", done: 1, total: 7 },
      "Erasing everything: 1 of 7 keys, phase “delete”, then 1 more job.",
    ],
    [{ job: "rebuild", jobs: 1, phase: "", done: 0, total: 0 }, "Rebuilding from KV: starting."],
    [
      { job: "of-a-later-version", jobs: 1, phase: "x", done: 0, total: 3 },
      "Working: 0 of 3 keys, phase “x”.",
    ],
  ])("shows the job in progress: %j", async (work, sentence) => {
    const { body } = await visit("/status?streaming=off", {
      services: { projectStore: storeWithJob(work) },
    });
    expect(body.replace(/<[^>]*>/g, "")).toContain(sentence);
  });

  it.each([
    ["rebuild", "Rebuilt from KV."],
    ["erase-text", "Personal data erased."],
    ["erase-project", "All data erased."],
  ])("confirms that the started job is done: %s", async (task, sentence) => {
    expect(await readPage("/status")).not.toContain(sentence);
    const { body } = await visit(`/status?startedJob=${task}`);
    expect(body).toContain(sentence);
    const { body: during } = await visit(`/status?startedJob=${task}`, {
      services: { projectStore: storeWithJob({ job: task, jobs: 1, ...PROGRESS }) },
    });
    expect(during).not.toContain(sentence);
    expect(during).toContain(`/status?startedJob=${task}">Refresh`);
  });

  it.each(["SECRET", "constructor", "toString"])("ignores the unknown job %s", async (task) => {
    const [{ body }, plain] = await Promise.all([
      visit(`/status?streaming=off&startedJob=${task}`),
      readPage("/status"),
    ]);
    expect(extractMain(body)).toBe(plain);
  });

  it("shows the progress of a rebuild, during which counts are unavailable", async () => {
    const rebuildingStore = storeWithJob({ job: "rebuild", jobs: 1, ...PROGRESS });
    const services = {
      projectStore: replaceMethods(rebuildingStore, {
        listCounters: () => Promise.reject(new Error("anew")),
      }),
    };
    const { response, body } = await visit("/status", { ...asJson, services });
    expect(response.status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      health: { work: { job: "rebuild", jobs: 1, ...PROGRESS } },
    });
    const html = await visit("/status?streaming=off", { services });
    expect(html.logged).toEqual([]);
    expect(html.body).toContain("Counts are unavailable while the project is being rebuilt.");
  });

  it("is 503 as JSON with Retry-After while the index is unavailable", async () => {
    const unavailable = () => Promise.reject(new Error("SECRET"));
    const services = {
      projectStore: replaceMethods(projectStore, {
        listCounters: unavailable,
        getHealth: unavailable,
      }),
    };
    const { response, body } = await visit("/status", { ...asJson, services });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(body).not.toContain("SECRET");
  });

  it("links to a page with a plain form for each action, and shows no job if none is running", async () => {
    const body = await readPage("/settings/data");
    const forms = [...body.matchAll(/<form[^>]*action="([^"]+)"[^>]*>/g)].map(([, to]) => to);
    expect(forms).toEqual(
      expect.arrayContaining(["/export", "/erase/preview", "/rebuild", "/erase"]),
    );
    expect(body).toContain('pattern="erase everything"');
    expect(body).not.toContain("It continues in the background.");
  });
});

it("lists in JSON contain the current state of each issue, not the stored one", async () => {
  const past = createDecision({ state: "snoozed", forMs: 1 }, issue, NOW_MS - 1_000);
  const stored = { ...issue, state: "snoozed", decision: past } as const;
  const list = { v: 2, total: 1, asOfMs: NOW_MS, issues: [stored] } as const;
  const { v: _, ...decision } = JSON.parse(JSON.stringify(past));
  const services = {
    projectStore: replaceMethods(projectStore, {
      listNewestIssues: async () => list,
      listIssues: async () => ({ ...list, v: 1 as const }),
    }),
  };
  for (const path of ["/", "/issues"]) {
    const { body } = await visit(path, { ...asJson, services });
    expect(JSON.parse(body), path).toMatchObject({
      total: 1,
      issues: [{ digest: DIGEST, state: "open", decision }],
    });
  }
});
