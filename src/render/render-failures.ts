/**
 * The failures of one render. React calls `onError` synchronously, before it writes the failed
 * boundary; the status of the response is known later. A failure therefore gets its digest
 * immediately and is stored when the status is known.
 */
import { isControlFlow } from "../core/control-flow/control-flow.ts";
import type { Digest, Report, ReportId, ReportResponse } from "../core/report.ts";

/** The codes of a notice: the digest of the error and the id of this occurrence. */
export interface FailureCodes {
  readonly digest: Digest;
  readonly reportId: ReportId;
}

/** Creates and stores the reports of failures. Neither function may throw. */
export interface FailureReporter {
  /** The report of a thrown value with its digest. Synchronous, because React does not wait. */
  readonly createReport: (error: unknown, componentStack: string | undefined) => Report;
  /** Stores a report that includes the response. */
  readonly store: (report: Report) => void;
}

/** The failures of one response. */
export class RenderFailures {
  readonly #reporter: FailureReporter;
  readonly #pendingReports: Report[] = [];
  /** Reports that are not in a notice yet, in the order of the failures. */
  readonly #reportsWithoutNotice: Report[] = [];
  #lastFailure: { thrown: unknown; codes: FailureCodes } | null = null;
  #response: ReportResponse | null = null;

  constructor(reporter: FailureReporter) {
    this.#reporter = reporter;
  }

  /** True if the stream may contain a failed boundary. */
  get hasFailed(): boolean {
    return this.#lastFailure !== null;
  }

  /** React's `onError`. React writes the returned digest into the markup. Never throws. */
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

  /** Sets the status: stores earlier failures now and later ones at once. */
  onResponse(status: number): void {
    this.#response = { status, isSilent200: status < 400 };
    for (const report of this.#pendingReports.splice(0))
      this.#reporter.store({ ...report, response: this.#response });
  }

  /** The codes of the failure of the shell. `error` is the rejection of the render. */
  getShellFailureCodes(error: unknown): FailureCodes | undefined {
    if (this.#lastFailure === null || !Object.is(this.#lastFailure.thrown, error))
      this.onError(error);
    return this.#lastFailure?.codes;
  }

  /** The codes for a notice with this digest. Each failure is shown once. */
  takeFailureCodes(digest: string): FailureCodes | undefined {
    const at = this.#reportsWithoutNotice.findIndex((report) => report.digest === digest);
    const [report] = at < 0 ? [] : this.#reportsWithoutNotice.splice(at, 1);
    return report === undefined ? undefined : toFailureCodes(report);
  }
}

function toFailureCodes(report: Report): FailureCodes {
  return { digest: report.digest, reportId: report.id };
}
