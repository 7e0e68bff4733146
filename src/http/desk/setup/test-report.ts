/** `POST /connect/test`: stores a test report, as from the server of an application. */
import { processReport } from "../../../core/processing/process-report.ts";
import type { ParsedReport } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import { respondToAction } from "../../forms/respond.ts";

/**
 * 303 to `/connect`, which shows the report; JSON: `{"digest","url"}`. The report is durable by
 * then; 503 while the log is unavailable.
 */
export function sendTestReport(c: AppContext): Promise<Response> {
  const { reportWriter, nowMs, newId, sha256, config } = c.get("services");
  return respondToAction(c, async () => {
    const report = processReport(createTestReport(config.release), {
      nowMs: nowMs(),
      newId,
      sha256,
      scrub: config.scrub,
      trust: "server",
    });
    await reportWriter.append([report]);
    const { digest } = report;
    return ok({ body: { digest, url: toIssueUrl(digest) }, redirectTo: "/connect#received" });
  });
}

function createTestReport(release: string | undefined): ParsedReport {
  return {
    kind: "message",
    side: "server",
    format: "reporter",
    type: "TestReport",
    message: "This is a test report. Your project receives reports.",
    level: "info",
    frames: [],
    environment: "test",
    fingerprint: ["test-report"],
    tags: [["from", "connect"]],
    release,
  };
}
