/**
 * Reports Errata's own failed renders. An error becomes a report with a digest immediately, and the
 * same request stores it. The digest and the error also go to the Worker's log, in case storing
 * fails.
 */

import { processReport } from "../core/processing/process-report.ts";
import { describeError } from "../core/report/stacks/describe-error.ts";
import type { Digest, ParsedReport, Report } from "../core/report.ts";
import { filterHeaders } from "../core/request/header-allowlist.ts";
import { RenderDeadlineError } from "../render/render-deadline-error.ts";
import type { FailureReporter } from "../render/render-failures.ts";
import type { Services } from "./context.ts";

/**
 * The route pattern of a page, such as `/d/:digest`, and the trace id that its browser received.
 */
interface RenderedPage {
  readonly route: string;
  readonly traceId: string;
}

/** Reports the failures of one request. */
export function createFailureReporter(
  services: Services,
  request: Request,
  page: RenderedPage,
): FailureReporter {
  return {
    createReport: (thrown, componentStack) => {
      const draft = describeFailure(thrown, componentStack, { services, request, ...page });
      return processReport(draft, {
        nowMs: services.nowMs(),
        newId: services.newId,
        trust: "server",
        sha256: services.sha256,
        scrub: services.config.scrub,
      });
    },
    store: (report) => storeReport(services, report),
  };
}

/**
 * Reports a thrown error of a request without a page, and returns its digest; undefined if even
 * that fails. Never throws: the caller has a response to send.
 */
export function reportThrown(
  services: Services,
  request: Request,
  thrown: unknown,
  route: string,
): Digest | undefined {
  try {
    const page = { route, traceId: services.newId() };
    const reporter = createFailureReporter(services, request, page);
    const report = reporter.createReport(thrown, undefined);
    reporter.store(report);
    return report.digest;
  } catch (cause) {
    services.logProblem(thrown);
    services.logProblem(cause);
    return undefined;
  }
}

/** Stores after the response. If that fails, the report is already in the Worker's log. */
function storeReport(services: Services, report: Report): void {
  services.logFailure(report);
  services.waitUntil(services.selfReportWriter.append([report]).catch(() => undefined));
}

function describeFailure(
  thrown: unknown,
  componentStack: string | undefined,
  { services, request, route, traceId }: RenderedPage & { services: Services; request: Request },
): ParsedReport {
  const { config } = services;
  const { digest: _foreign, ...description } = describeError(thrown);
  const rayId = request.headers.get("cf-ray") ?? undefined;
  const userAgent = request.headers.get("user-agent") ?? undefined;
  return {
    ...description,
    kind: "error",
    side: "server",
    format: "render",
    environment: config.environment,
    traceId,
    request: {
      method: request.method,
      url: request.url,
      route,
      headers: filterHeaders(request.headers),
      userAgent,
    },
    componentStack,
    release: config.release,
    rayId,
    // A passed deadline has no location in the code, so it is grouped by page.
    ...(thrown instanceof RenderDeadlineError && { fingerprint: ["render-deadline", route] }),
  };
}
