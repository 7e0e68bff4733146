/**
 * `/self-test/injection`: how the desk and MCP show a report that was written to command an agent.
 * `POST` stores such a report, as from a browser with a public key. Forms or JSON.
 */
import { processReport } from "../../../core/processing/process-report.ts";
import { createInjectionReport, INJECTION_PATH } from "../../../core/report/injection-report.ts";
import type { Report } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { findReport } from "../../../operations/issue-reads.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { type Injection, InjectionPage } from "../../../ui/setup/injection-page.tsx";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext, Services } from "../../context.ts";
import { respondToAction } from "../../forms/respond.ts";
import { callTool } from "../../mcp/call-tool.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { toCall } from "../../operation-call.ts";
import { ignoreRejection, sendPage } from "../../send-page.tsx";

const TOOL = TOOLS.find(({ name }) => name === "get_investigation");

/** Shows the report, or that there is none yet. */
export function serveInjectionTest(c: AppContext): Promise<Response> {
  return sendPage(c, {
    title: "Self-test: Prompt injection",
    route: INJECTION_PATH,
    content: (
      <Layout current="self-test" isSignedIn>
        <InjectionPage
          injection={ignoreRejection(loadInjection(c))}
          nowMs={c.get("services").nowMs()}
        />
      </Layout>
    ),
  });
}

/**
 * Stores the report. 303 to its page; JSON: `{"digest","url"}`. It is durable by then; 503 while the
 * log is unavailable.
 */
export function sendInjection(c: AppContext): Promise<Response> {
  const services = c.get("services");
  return respondToAction(c, async () => {
    const report = createReport(services);
    await services.selfReportWriter.append([report]);
    const { digest } = report;
    return ok({ body: { digest, url: toIssueUrl(digest) }, redirectTo: INJECTION_PATH });
  });
}

/** On a page of Errata itself: it is no error of the application, and is removed with self-tests. */
function createReport({ nowMs, newId, sha256, config }: Services): Report {
  return processReport(createInjectionReport(config.release), {
    nowMs: nowMs(),
    newId,
    sha256,
    scrub: config.scrub,
    trust: "public",
    isOnOwnPage: true,
  });
}

/** What the desk and MCP show of the report; null if it was not sent. Rejects without the index. */
async function loadInjection(c: AppContext): Promise<Injection | null> {
  const services = c.get("services");
  const { digest } = createReport(services);
  const issue = await services.projectStore.getFreshIssue(digest);
  if (issue === null) return null;
  const [report, byDefault, asked] = await Promise.all([
    findReport(services.projectStore, issue, undefined),
    readWithMcp(c, { digest }),
    readWithMcp(c, { digest, trust: "public" }),
  ]);
  return { issue, report, byDefault, asked };
}

/** What an agent reads: the text of the same call. */
async function readWithMcp(c: AppContext, sent: object): Promise<string> {
  if (TOOL === undefined) throw new Error("MCP has no tool that investigates.");
  const { content } = await callTool(TOOL, sent, toCall(c));
  return content.map(({ text }) => text).join("\n");
}
