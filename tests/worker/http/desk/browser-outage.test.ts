// An outage that only browsers see, in a project with many errors of servers. All reports arrive
// over HTTP, as SDKs send them.
import { beforeAll, describe, expect, it } from "vitest";
import { ISSUE_SORTS } from "#src/core/issue/issue-query.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createEventBody } from "#support/http/send-as.ts";
import { TEST_SERVER_KEY, visit } from "#support/http/visit.ts";

const PUBLIC_KEY = "0123456789abcdef0123456789abcdef";
const SERVER_ISSUES = 40;
const REPORTS = 120;
const USERS = 114;

let ids = 0;
const send = async (key: string, message: string, fields: object) => {
  const body = createEventBody((++ids).toString(16).padStart(32, "0"), message, fields);
  const path = `/api/1/envelope/?sentry_key=${key}&sentry_version=7`;
  const { response } = await visit(path, { method: "POST", body, services });
  expect(response.status).toBe(200);
};
const services = { nowMs: readNowMs };
const readPage = async (path: string) => (await visit(path, { services })).body;
const readJson = async (path: string) => JSON.parse(await readPage(path));
const CRASH = "Cannot read properties of null (reading 'confirmPayment')";

beforeAll(async () => {
  for (let n = 0; n < SERVER_ISSUES; n++) {
    const frame = { filename: `/srv/job-${n}.py`, function: `work_${n}`, in_app: true, lineno: 1 };
    const stacktrace = { frames: [frame] };
    const exception = { values: [{ type: "JobError", value: `job ${n} failed`, stacktrace }] };
    await send(TEST_SERVER_KEY, "", { platform: "python", exception, user: { id: "operator" } });
  }
  for (let n = 0; n < REPORTS; n++) {
    const user = { id: `customer-${n % USERS}` };
    await send(PUBLIC_KEY, CRASH, { platform: "javascript", user });
  }
}, 60_000);

describe("120 errors of 114 users in browsers, in a project with 40 issues of servers", () => {
  it.each(ISSUE_SORTS)("are the first issue by %s, with all reports and users", async (sort) => {
    const { issues, total } = await readJson(`/issues.json?q=is:open&sort=${sort}`);
    expect(total).toBe(SERVER_ISSUES + 1);
    expect(issues[0]).toMatchObject({ trust: "public", message: CRASH, count: REPORTS });
    // An estimate.
    expect(Math.abs(issues[0].userCount - USERS)).toBeLessThan(USERS / 4);
  });

  it("are on the home page: in the chart, in the users, and first of what needs attention", async () => {
    const body = (await readPage("/?streaming=off")).replace(/<!--.*?-->/g, "");
    expect(body).toContain(`<b>${REPORTS + SERVER_ISSUES} errors in the first minute</b>`);
    expect(body).toContain(`in ${SERVER_ISSUES + 1} issues`);
    expect(body).toMatch(
      /data-series="server">Server <b>40<.*?data-series="browser">Browser <b>120</,
    );
    const users = Number(/>People <b>about (\d+)</.exec(body)?.[1]);
    expect(Math.abs(users - USERS - 1)).toBeLessThan(USERS / 4);
    const [, first = ""] = body.split('class="need"');
    expect(first.slice(0, first.indexOf("</li>"))).toMatch(/Escalating.*120 in .*confirmPayment/);
  });

  it("are first in the list of the newest issues, in a search, and as the neighbor of others", async () => {
    const [first, second] = (await readJson("/issues.json?q=is:open&sort=users")).issues;
    const found = await readJson("/issues.json?q=confirmPayment");
    expect(found.issues[0]?.digest).toBe(first.digest);
    const page = await readPage(`/d/${second.digest}?list=is%3Aopen&sort=users&streaming=off`);
    expect(page).toContain(`/d/${first.digest}`);
    const row = (await readPage("/issues?streaming=off")).split('class="list-row issue-row"')[1];
    expect(row).toContain(first.digest);
    expect(row).toContain('class="public-mark"');
  });
});
