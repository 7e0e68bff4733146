/**
 * Errata's own failures as reports: what a render throws becomes a report with a digest at once, and is stored by the very
 * request that shows it. The digest and the error also go to the Worker's log, so they are known even when storing fails.
 */
import { describeFault } from "../core/fault.ts";
import { finish } from "../core/finish.ts";
import { keepHeaders } from "../core/kept-headers.ts";
import { OWN_TAG } from "../core/own-failures.ts";
import { present } from "../core/present.ts";
import type { Draft, Report } from "../core/report.ts";
import { DeadlinePassed } from "../render/deadline.ts";
import type { FailureSink } from "../render/failures.ts";
import type { Services } from "./services.ts";

/** What a page knows of itself: the pattern that matched, `/d/:digest`, and the trace that its browser was told. */
export interface PageFacts {
  readonly route: string;
  readonly traceId: string;
}

/** Names and stores the failures of one request. */
export function failureSink(services: Services, request: Request, page: PageFacts): FailureSink {
  return {
    name: (thrown, componentStack) => {
      const draft = draftOf(thrown, componentStack, { services, request, ...page });
      return finish(draft, {
        nowMs: services.nowMs(),
        mintId: services.mintId,
        sha256: services.sha256,
        scrub: services.config.scrub,
      });
    },
    store: (report) => store(services, report),
  };
}

/** Behind the response; the report is in the Worker's log already if that fails. */
function store(services: Services, report: Report): void {
  services.logFailure(report);
  services.after(services.ownLog.append([report]).catch(() => undefined));
}

function draftOf(
  thrown: unknown,
  componentStack: string | undefined,
  { services, request, route, traceId }: PageFacts & { services: Services; request: Request },
): Draft {
  const { config } = services;
  const { digest: _foreign, ...fault } = describeFault(thrown);
  const rayId = request.headers.get("cf-ray") ?? undefined;
  const userAgent = request.headers.get("user-agent") ?? undefined;
  return {
    ...fault,
    kind: "error",
    side: "server",
    format: "render",
    environment: config.environment,
    traceId,
    keyed: true,
    tags: [OWN_TAG],
    request: {
      method: request.method,
      url: request.url,
      route,
      headers: keepHeaders(request.headers),
      ...present({ userAgent }),
    },
    ...present({ componentStack, release: config.release, rayId }),
    // A deadline names no place in the code: the page is what was slow.
    ...(thrown instanceof DeadlinePassed && { fingerprint: ["render-deadline", route] }),
  };
}
