// Times that no calendar has, as clocks of senders give them: every reader answers.
import { describe, expect, it } from "vitest";
import { API_PATH } from "#src/core/accounts/project-path.ts";
import { MAX_DATE_MS } from "#src/core/utc-time.ts";
import { callTool } from "#support/http/mcp.ts";
import { createEventBody, sendAs } from "#support/http/send-as.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { log } from "#support/store/store.ts";

const MESSAGE = "the cart is empty";

/** Sends what a page can send: a clock of 1970, and a breadcrumb at the last date. */
async function sendLastDate(): Promise<string> {
  const event = createEventBody(toReportId(1), "m", {
    breadcrumbs: [{ message: MESSAGE, timestamp: MAX_DATE_MS }],
  });
  const sentAt = JSON.stringify({ sent_at: new Date(0).toISOString() });
  const { outcomes } = await sendAs("public", event.replace(/^.*/, sentAt));
  const [stored] = outcomes;
  if (stored?.outcome !== "accepted") throw new Error(JSON.stringify(outcomes));
  return stored.digest;
}

/** Stores a report as versions before the correction was limited did. */
async function storeAfterLastDate(): Promise<string> {
  const { digest } = createReport(1);
  const breadcrumbs = [{ atMs: 2 * MAX_DATE_MS, message: MESSAGE }];
  await log.append([createReport(1, { trust: "public", breadcrumbs })]);
  return digest;
}

describe.each([
  ["is the last date, by a clock of 1970", sendLastDate],
  ["is after the last date, in a stored report", storeAfterLastDate],
])("an issue with a breadcrumb whose time %s", (_name, store) => {
  it("is read through the API, with an RFC 3339 time", async () => {
    const { response, body } = await visit(`${API_PATH}/issues/${await store()}`);
    expect(response.status).toBe(200);
    const { breadcrumbs } = JSON.parse(body).reports[0];
    expect(breadcrumbs).toMatchObject([{ at: "1970-01-01T00:00:00.000Z", message: MESSAGE }]);
  });

  it("is read through MCP", async () => {
    const { isError, text } = await callTool("get_report", {
      digest: await store(),
      report: toReportId(1),
      trust: "public",
    });
    expect({ isError, text }).toMatchObject({
      isError: false,
      text: expect.stringContaining("1970-01-01"),
    });
  });

  it("has a page", async () => {
    const { response, body } = await visit(`/d/${await store()}`);
    expect(response.status).toBe(200);
    expect(body).toContain(MESSAGE);
  });
});
