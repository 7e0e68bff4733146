/** Stores the lines of an import in order and in batches of limited size. */

import type { TriageRecord } from "../../../core/issue/triage-record.ts";
import { limits } from "../../../core/limits.ts";
import type { ImportLine } from "../../../core/ports/storage-ports.ts";
import type { ExportLine } from "../../../export-format/parse-line.ts";
import type { ProjectAdmin } from "../../../store/client/project-admin.ts";

/** The results of an import. `lineCount` is the sum of the others. */
export interface ImportCounts {
  /** Lines, without the first and last lines of exports. */
  readonly lineCount: number;
  readonly restoredCount: number;
  /** Lines already known by their ids, which do not count again. */
  readonly duplicateCount: number;
  readonly decisionCount: number;
  /** Annotations of issues, and saved views. */
  readonly annotationCount: number;
}

/** One running import. */
export class ImportBatcher {
  readonly #projectAdmin: ProjectAdmin;
  #lines: ImportLine[] = [];
  #triage: TriageRecord[] = [];
  #bytes = 0;
  #counts: ImportCounts = {
    lineCount: 0,
    restoredCount: 0,
    duplicateCount: 0,
    decisionCount: 0,
    annotationCount: 0,
  };

  constructor(projectAdmin: ProjectAdmin) {
    this.#projectAdmin = projectAdmin;
  }

  /** The results so far; only durable lines count. */
  get counts(): ImportCounts {
    return this.#counts;
  }

  /**
   * Adds a parsed line of `bytes` bytes. Flushes first if the batch would be too large or of two
   * kinds.
   */
  async add(exported: ExportLine, bytes: number): Promise<void> {
    if (exported.kind === "header" || exported.kind === "footer") return;
    const otherBatch = exported.kind === "stored" ? this.#triage : this.#lines;
    if (otherBatch.length > 0 || this.#bytes + bytes > limits.importBytesPerBatch)
      await this.flush();
    if (exported.kind === "stored") this.#lines.push(exported.line);
    else this.#triage.push(exported);
    this.#bytes += bytes;
    const count = this.#lines.length + this.#triage.length;
    if (count >= limits.importLinesPerBatch) await this.flush();
  }

  /** Resolves when everything added is durable. */
  async flush(): Promise<void> {
    const [lines, triage] = [this.#lines, this.#triage];
    [this.#lines, this.#triage, this.#bytes] = [[], [], 0];
    const restored = lines.length > 0 ? await this.#projectAdmin.importLines(lines) : 0;
    if (triage.length > 0) await this.#projectAdmin.importTriage(triage);
    const counts = this.#counts;
    const decisions = triage.filter(({ kind }) => kind === "decision").length;
    this.#counts = {
      lineCount: counts.lineCount + lines.length + triage.length,
      restoredCount: counts.restoredCount + restored,
      duplicateCount: counts.duplicateCount + lines.length - restored,
      decisionCount: counts.decisionCount + decisions,
      annotationCount: counts.annotationCount + triage.length - decisions,
    };
  }
}
