/**
 * `POST /import`: imports an export line by line as it arrives. Every line states its kind, so a
 * complete export, a part of one, and several in sequence are all accepted. Lines that were stored
 * stay stored, even if a later one fails.
 */
import { limits } from "../../../core/limits.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import {
  type ExportLine,
  type ExportLineFailure,
  parseExportLine,
} from "../../../export-format/parse-line.ts";
import { Layout } from "../../../ui/layout/layout.tsx";
import { ImportPage } from "../../../ui/settings/data/import-page.tsx";
import type { AppContext, Services } from "../../context.ts";
import { toFailureResponse } from "../../failure-response.ts";
import type { ImportFailure } from "../../failures.ts";
import { isSameOrigin } from "../../forms/csrf.ts";
import { sendPage, wantsJson } from "../../send-page.tsx";
import { getExportSource } from "./export-source.ts";
import { ImportBatcher, type ImportCounts } from "./import-batches.ts";
import { readLines } from "./read-lines.ts";
import { parseBoundary, readUploadedLines } from "./read-upload.ts";

/** The JSON response. */
interface ImportResult extends ImportCounts {
  /** True if the body was one or several complete exports. */
  readonly isComplete: boolean;
}

/**
 * 200 with the results, as a page for the form on `/settings/data`. With `?own=1`, an export of the
 * same project is accepted; otherwise its header line is refused with 409. 403 for a request of
 * another site, 400 for a body that is not an export, 413 for a line over
 * `limits.maxExportedLineBytes`, 415 for an encoded body, 503 while the store is unavailable. After
 * each failure, the whole body can be sent again: stored lines are recognized.
 */
export async function importProject(c: AppContext): Promise<Response> {
  if (!isSameOrigin(c.req.raw)) return toFailureResponse({ reason: "cross-site" });
  const body = getUnencodedBody(c.req.raw);
  const boundary = parseBoundary(c.req.raw);
  const refusedSource =
    c.req.query("own") === undefined
      ? await getExportSource(c.get("services"), c.get("project"))
      : undefined;
  const options = { ...c.get("services"), boundary, refusedSource };
  const imported = body.ok ? await importLines(body.value, options) : body;
  if (boundary !== undefined && !wantsJson(c)) return sendImportPage(c, imported);
  return imported.ok ? c.json(imported.value) : toFailureResponse(imported);
}

async function sendImportPage(
  c: AppContext,
  imported: Result<ImportResult, ImportFailure>,
): Promise<Response> {
  const response = imported.ok ? undefined : toFailureResponse(imported);
  const { detail = "" } = ((await response?.json()) ?? {}) as { detail?: string };
  return sendPage(c, {
    title: "Import",
    route: "/import",
    status: response?.status ?? 200,
    content: (
      <Layout current="settings" isSignedIn>
        {imported.ok ? (
          <ImportPage summary={toSummary(imported.value)} />
        ) : (
          <ImportPage failure={detail} isOwnExport={imported.reason === "own-export"} />
        )}
      </Layout>
    ),
  });
}

function toSummary({ decisionCount, annotationCount, ...counts }: ImportResult) {
  return { ...counts, triageCount: decisionCount + annotationCount };
}

type ByteStream = ReadableStream<Uint8Array>;

/**
 * Encoded bodies are rejected: decompression would inflate a whole bomb before a reader can stop
 * it.
 */
function getUnencodedBody(request: Request): Result<ByteStream, ImportFailure> {
  const coding = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity") return ok(request.body ?? new Blob([]).stream());
  return fail({ reason: "bad-encoding", expected: "a body without Content-Encoding" });
}

interface ImportOptions extends Pick<Services, "projectAdmin" | "config" | "logProblem"> {
  readonly boundary: string | undefined;
  /** The source whose exports are refused. */
  readonly refusedSource: string | undefined;
}

async function importLines(
  body: ByteStream,
  { projectAdmin, config, logProblem, boundary, refusedSource }: ImportOptions,
): Promise<Result<ImportResult, ImportFailure>> {
  const batcher = new ImportBatcher(projectAdmin);
  const tracker = new ExportTracker();
  let line = 0;
  let blankCount = 0;
  let failure: ImportFailure | undefined;
  try {
    const lines = readLines(body, limits.maxExportedLineBytes);
    const sent = boundary === undefined ? lines : readUploadedLines(lines, boundary);
    for await (const read of sent) {
      line += 1;
      if (!read.ok) {
        failure = toImportFailure(read, line);
        break;
      }
      if (read.value.every(isSpace)) {
        blankCount += 1;
        if (blankCount <= limits.maxBlankLines) continue;
      }
      const exported = parseExportLine(read.value, config.scrub);
      if (!exported.ok) {
        failure = toImportFailure(exported, line);
        break;
      }
      const { value } = exported;
      const isRefused = value.kind === "header" && value.source === refusedSource;
      if (isRefused && refusedSource !== undefined) {
        failure = { reason: "own-export" };
        break;
      }
      tracker.add(exported.value);
      await batcher.add(exported.value, read.value.length);
    }
    // The response says that the lines before a rejected line are stored.
    await batcher.flush();
  } catch (cause) {
    logProblem(cause);
    return fail({ reason: "index-unavailable" });
  }
  if (failure !== undefined) return fail(failure);
  if (tracker.isEmpty)
    return fail({ reason: "bad-line", line: 1, at: "", expected: "a line of an export" });
  return ok({ ...batcher.counts, isComplete: tracker.isComplete });
}

const SPACE_BYTES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

function isSpace(byte: number): boolean {
  return SPACE_BYTES.has(byte);
}

function toImportFailure(
  failure: ExportLineFailure | { readonly reason: "line-too-long" | "truncated-body" },
  line: number,
): ImportFailure {
  switch (failure.reason) {
    case "not-an-export":
      return { reason: "bad-line", line, at: failure.path, expected: failure.expected };
    case "too-large":
    case "line-too-long":
      return { reason: "line-too-long", line, max: limits.maxExportedLineBytes };
    case "truncated-body":
      return { reason: "truncated-body" };
  }
}

/** Tracks whether the lines form complete exports. */
class ExportTracker {
  /** Lines since the first line of the current export; undefined outside of one. */
  #linesSinceStart: number | undefined;
  #exportCount = 0;
  #isBroken = false;

  get isEmpty(): boolean {
    return this.#exportCount === 0 && this.#linesSinceStart === undefined && !this.#isBroken;
  }

  get isComplete(): boolean {
    return this.#exportCount > 0 && this.#linesSinceStart === undefined && !this.#isBroken;
  }

  add(exported: ExportLine): void {
    switch (exported.kind) {
      case "header":
        this.#isBroken ||= this.#linesSinceStart !== undefined;
        this.#linesSinceStart = 0;
        return;
      case "footer":
        this.#isBroken ||= this.#linesSinceStart !== exported.lineCount;
        this.#linesSinceStart = undefined;
        this.#exportCount += 1;
        return;
      default:
        if (this.#linesSinceStart === undefined) this.#isBroken = true;
        else this.#linesSinceStart += 1;
    }
  }
}
