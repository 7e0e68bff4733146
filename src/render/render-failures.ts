/**
 * What failed in one render. React tells `onError` of every failure, at once and synchronously, before anything of it is
 * written; how the response went is known later. So a failure gets its digest at once and is handed on when both are known.
 */
import { isControlFlow } from "../core/report/control-flow.ts";
import type { Digest, Report, ReportId, ReportResponse } from "../core/report.ts";

/** The two codes that a notice shows: which fault, and which occurrence of it. */
export interface FailureCodes {
  readonly digest: Digest;
  readonly reportId: ReportId;
}

/** What a render needs from outside to name and store its failures. Neither function may throw. */
export interface FailureReporter {
  /** The report of something thrown, with its digest: synchronous, because React does not wait. */
  readonly createReport: (error: unknown, componentStack: string | undefined) => Report;
  /** Stores a report, now that it is known how the response went. */
  readonly store: (report: Report) => void;
}

/** The failures of one render; one instance a response. */
export class RenderFailures {
  readonly #reporter: FailureReporter;
  readonly #pendingReports: Report[] = [];
  /** Reports that no notice stands for yet, by digest, in the order in which they failed. */
  readonly #reportsWithoutNotice: Report[] = [];
  #lastFailure: { thrown: unknown; codes: FailureCodes } | null = null;
  #response: ReportResponse | null = null;

  constructor(sink: FailureReporter) {
    this.#reporter = sink;
  }

  /** True when something has failed, so that the stream may contain a failed boundary. */
  get hasFailed(): boolean {
    return this.#lastFailure !== null;
  }

  /** React's `onError`. The digest that it returns stands in the markup; it never throws. */
  readonly onError = (
    error: unknown,
    info?: { readonly componentStack?: string | undefined },
  ): string | undefined => {
    if (isControlFlow(error)) return undefined;
    const report = this.#reporter.createReport(error, info?.componentStack);
    this.#lastFailure = { thrown: error, codes: toFailureCodes(report) };
    this.#reportsWithoutNotice.push(report);
    if (this.#response === null) this.#pendingReports.push(report);
    else this.#reporter.store({ ...report, response: this.#response });
    return report.digest;
  };

  /** Says how the response went. What failed before is stored now, what fails later at once. */
  onResponse(status: number): void {
    this.#response = { status, isSilent200: status < 400 };
    for (const report of this.#pendingReports.splice(0)) {
      this.#reporter.store({ ...report, response: this.#response });
    }
  }

  /** The codes of the failure that broke the shell. `thrown` is what the render rejected with. */
  getShellFailureCodes(error: unknown): FailureCodes | undefined {
    if (this.#lastFailure === null || !Object.is(this.#lastFailure.thrown, error))
      this.onError(error);
    return this.#lastFailure?.codes;
  }

  /** The codes for a notice with this digest: of several failures with one digest, each is shown once. */
  takeFailureCodes(digest: string): FailureCodes | undefined {
    const at = this.#reportsWithoutNotice.findIndex((report) => report.digest === digest);
    const [report] = at < 0 ? [] : this.#reportsWithoutNotice.splice(at, 1);
    return report === undefined ? undefined : toFailureCodes(report);
  }
}

function toFailureCodes(report: Report): FailureCodes {
  return { digest: report.digest, reportId: report.id };
}
