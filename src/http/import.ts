/**
 * `POST /import`: an export is taken, line by line while it comes. Each line says what it is, so that a whole export, a piece
 * of one and several behind each other are all taken alike. What was stored stays, whatever comes after it.
 */
import { limits } from "../core/limits.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { type Exported, type ExportedFailure, readExported } from "../ingest.ts";
import { failureResponse, type ImportFailure } from "./failures.ts";
import { linesOf } from "./lines.ts";
import { type Restored, Restoring } from "./restoring.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext, Services } from "./services.ts";

/** What is answered. */
interface Imported extends Restored {
  /** True for one export or several, each from its first line to its last. */
  readonly complete: boolean;
}

/**
 * 200 with what became of the lines. 403 for what another site sent, 400 for a body that is not wholly of exports, 413 for a
 * line over `limits.maxExportedLineBytes`, 415 for a body that is encoded, 503 while the store does not take it. After each
 * of them, the whole may be sent again: within a day, a line that was stored is known.
 */
export async function importProject(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return failureResponse({ reason: "cross-site" });
  const body = plainBody(c.req.raw);
  const imported = body.ok ? await importAll(body.value, c.get("services")) : body;
  if (imported.ok) return c.json(imported.value);
  return failureResponse(imported);
}

type Bytes = ReadableStream<Uint8Array>;

/** Inflating takes in a whole bomb before a reader can stop it, so nothing that is inflated is taken. */
function plainBody(request: Request): Result<Bytes, ImportFailure> {
  const coding = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") return ok(request.body ?? new Blob([]).stream());
  return fail({ reason: "bad-encoding", expected: "a body without Content-Encoding" });
}

async function importAll(
  body: Bytes,
  { keeping, config, logProblem }: Pick<Services, "keeping" | "config" | "logProblem">,
): Promise<Result<Imported, ImportFailure>> {
  const restoring = new Restoring(keeping);
  const whole = new Wholeness();
  let line = 0;
  let blank = 0;
  let failure: ImportFailure | undefined;
  try {
    for await (const read of linesOf(body, limits.maxExportedLineBytes)) {
      line += 1;
      if (!read.ok) {
        failure = failureOf(read, line);
        break;
      }
      if (read.value.every(isSpace)) {
        blank += 1;
        if (blank <= limits.maxBlankLines) continue;
      }
      const exported = readExported(read.value, config.scrub);
      if (!exported.ok) {
        failure = failureOf(exported, line);
        break;
      }
      whole.note(exported.value);
      await restoring.take(exported.value, read.value.length);
    }
    // What stands before a line that is refused is stored, as the answer says.
    await restoring.store();
  } catch (cause) {
    logProblem(cause);
    return fail({ reason: "index-unavailable" });
  }
  if (failure !== undefined) return fail(failure);
  if (whole.isEmpty)
    return fail({ reason: "bad-line", line: 1, at: "", expected: "a line of an export" });
  return ok({ ...restoring.done, complete: whole.isComplete });
}

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

function isSpace(byte: number): boolean {
  return SPACES.has(byte);
}

function failureOf(
  failure: ExportedFailure | { readonly reason: "line-too-long" | "body-cut" },
  line: number,
): ImportFailure {
  switch (failure.reason) {
    case "not-exported":
      return { reason: "bad-line", line, at: failure.at, expected: failure.expected };
    case "too-large":
    case "line-too-long":
      return { reason: "line-too-long", line, max: limits.maxExportedLineBytes };
    case "body-cut":
      return { reason: "body-cut" };
  }
}

/** Whether all that came was of whole exports. */
class Wholeness {
  /** Lines since the first one of an export; undefined outside of one. */
  #since: number | undefined;
  #exports = 0;
  #isBroken = false;

  get isEmpty(): boolean {
    return this.#exports === 0 && this.#since === undefined && !this.#isBroken;
  }

  get isComplete(): boolean {
    return this.#exports > 0 && this.#since === undefined && !this.#isBroken;
  }

  note(exported: Exported): void {
    switch (exported.is) {
      case "first":
        this.#isBroken ||= this.#since !== undefined;
        this.#since = 0;
        return;
      case "last":
        this.#isBroken ||= this.#since !== exported.lines;
        this.#since = undefined;
        this.#exports += 1;
        return;
      default:
        if (this.#since === undefined) this.#isBroken = true;
        else this.#since += 1;
    }
  }
}
