import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { FENCE_NOTICE } from "#src/http/mcp/fence.ts";
import { eventually } from "#support/eventually.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

const PATH = "/self-test/injection";

/** The texts of the two answers of MCP on the page, as a browser shows them. */
function readAnswers(body: string): readonly string[] {
  const texts = [...body.matchAll(/<pre class="shown-text" dir="ltr">(.*?)<\/pre>/gs)];
  return texts.map(([, text = ""]) =>
    text.replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&quot;", '"'),
  );
}

afterAll(() => emptyStore());

describe("before the report is sent, the page", () => {
  it("says so, and has the form that sends it", async () => {
    const { response, body } = await visit(PATH);
    expect(response.status).toBe(200);
    expect(body).toContain("Not sent yet");
    expect(body).toContain(`action="${PATH}"`);
    expect((await visit("/self-test")).body).toContain(`action="${PATH}"`);
  });
});

describe("after the report is sent with a form, the page", () => {
  let body = "";
  let digest = "";

  beforeAll(async () => {
    await log.append([createReport(1, { message: "of the application" })]);
    const headers = { accept: "application/json" };
    const sent = await visit(PATH, { method: "POST", headers });
    ({ digest } = JSON.parse(sent.body));
    const { response } = await visit(PATH, { method: "POST" });
    expect([response.status, response.headers.get("location")]).toEqual([303, PATH]);
    ({ body } = await visit(PATH));
  });

  it("shows the issue of both reports as public, with a link to it", async () => {
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ trust: "public", count: 2 });
    expect(body).toContain(`href="/d/${digest}"`);
    expect(body).toContain("Sent with a public key");
  });

  it("shows what MCP withholds by default: no word of the message, the stack or the tag", () => {
    const [byDefault = ""] = readAnswers(body);
    expect(byDefault).toContain("(withheld: written by public; ask with trust=public)");
    expect(byDefault).not.toMatch(/echo injected|ignoreAllEarlier|SYSTEM/);
  });

  it("shows what MCP fences if an agent asks: every command is in a fence that it cannot end", () => {
    const [, asked = ""] = readAnswers(body);
    expect(asked.startsWith(FENCE_NOTICE)).toBe(true);
    const outside = asked.replaceAll(/^(`{3,})public report\n.*?\n\1$/gms, "");
    expect(asked).toMatch(/Note of Errata/);
    expect(asked).toContain("\\u{200b}");
    expect(outside).not.toMatch(/echo injected|ignoreAllEarlier|SYSTEM|Note of Errata/i);
  });

  it("is in no list of the application's issues, and is removed with the other self-tests", async () => {
    expect((await projectStore.listIssues(parseIssueQuery(""))).total).toBe(1);
    await visit("/self-test/remove", { method: "POST" });
    await eventually(async () => {
      expect(await projectStore.getFreshIssue(digest)).toBeNull();
    });
    expect((await visit(PATH)).body).toContain("Not sent yet");
  });
});
