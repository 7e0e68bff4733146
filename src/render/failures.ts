/**
 * What failed in one render. React tells `onError` of every failure, at once and synchronously, before anything of it is
 * written; how the response went is known later. So a failure gets its digest at once and is handed on when both are known.
 */
import { isControlFlow } from "../core/control-flow.ts";
import type { Digest, Report, ReportId, ResponseFacts } from "../core/report.ts";

/** The two codes that a notice shows: which fault, and which occurrence of it. */
export interface ShownCodes {
  readonly digest: Digest;
  readonly reportId: ReportId;
}

/** What a render needs from outside to name and store its failures. Neither function may throw. */
export interface FailureSink {
  /** The report of something thrown, with its digest: synchronous, because React does not wait. */
  readonly name: (thrown: unknown, componentStack: string | undefined) => Report;
  /** Stores a report, now that it is known how the response went. */
  readonly store: (report: Report) => void;
}

/** The failures of one render; one instance a response. */
export class Failures {
  readonly #sink: FailureSink;
  readonly #unstored: Report[] = [];
  /** Reports that no notice stands for yet, by digest, in the order in which they failed. */
  readonly #unshown: Report[] = [];
  #last: { thrown: unknown; codes: ShownCodes } | null = null;
  #response: ResponseFacts | null = null;

  constructor(sink: FailureSink) {
    this.#sink = sink;
  }

  /** True when something has failed, so that the stream may contain a failed boundary. */
  get any(): boolean {
    return this.#last !== null;
  }

  /** React's `onError`. The digest that it returns stands in the markup; it never throws. */
  readonly onError = (
    thrown: unknown,
    info?: { readonly componentStack?: string | undefined },
  ): string | undefined => {
    if (isControlFlow(thrown)) return undefined;
    const report = this.#sink.name(thrown, info?.componentStack);
    this.#last = { thrown, codes: codesOf(report) };
    this.#unshown.push(report);
    if (this.#response === null) this.#unstored.push(report);
    else this.#sink.store({ ...report, response: this.#response });
    return report.digest;
  };

  /** Says how the response went. What failed before is stored now, what fails later at once. */
  answered(status: number): void {
    this.#response = { status, silent: status < 400 };
    for (const report of this.#unstored.splice(0)) {
      this.#sink.store({ ...report, response: this.#response });
    }
  }

  /** The codes of the failure that broke the shell. `thrown` is what the render rejected with. */
  codesOfShell(thrown: unknown): ShownCodes | undefined {
    if (this.#last === null || !Object.is(this.#last.thrown, thrown)) this.onError(thrown);
    return this.#last?.codes;
  }

  /** The codes for a notice with this digest: of several failures with one digest, each is shown once. */
  codesOf(digest: string): ShownCodes | undefined {
    const at = this.#unshown.findIndex((report) => report.digest === digest);
    const [report] = at < 0 ? [] : this.#unshown.splice(at, 1);
    return report === undefined ? undefined : codesOf(report);
  }
}

function codesOf(report: Report): ShownCodes {
  return { digest: report.digest, reportId: report.id };
}
