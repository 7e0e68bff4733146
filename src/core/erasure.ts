/** The erasure of a text from a project: first a preview with exact counts, then the erasure. */
import type { Digest } from "./report.ts";

/** Counts of the data that contain the text. */
export interface ErasureCounts {
  /** All reports, and those that contain the text. */
  readonly examined: number;
  readonly reports: number;
  /** Issues of these reports, and others whose title or values contain the text. */
  readonly issues: number;
  readonly comments: number;
  /**
   * The ids of uploads of source maps that contain the text, at most `MAX_LISTED_UPLOADS`. The
   * erasure does not change them. Absent if there are none.
   */
  readonly uploads?: readonly string[];
}

/** What a person types to erase all data of a project. */
export const ERASE_PROJECT_CONFIRMATION = "erase everything";

/** Issues that a preview names. */
export const MAX_LISTED_ISSUES = 20;
/** Uploads that a preview names. */
export const MAX_LISTED_UPLOADS = 50;

export interface TextErasure {
  readonly id: string;
  /** The text; absent once it is erased. */
  readonly text?: string;
  /** Absent until all reports were searched. */
  readonly found?: ErasureCounts;
  /** Issues with the text, at most `MAX_LISTED_ISSUES`; absent once it is erased. */
  readonly digests?: readonly Digest[];
  /** The number of reports whose contents were erased; absent until the erasure ends. */
  readonly erasedReports?: number;
  /** The progress of the job: processed chunks, and all that are known so far. */
  readonly work?: { readonly done: number; readonly total: number };
}

/** Who erased the contents of a report. */
export interface ReportErasure {
  readonly atMs: number;
  /** Absent for local access. */
  readonly by?: string | undefined;
  /** `report`: of this report. `text`: of all reports with a text, perhaps of this one too. */
  readonly of: "report" | "text";
}

/** The share of reports above which a text is too common for a person's data. */
const COMMON_SHARE = 0.05;

/** True if the text is so common that the user must also confirm the number of reports. */
export function isCommonText({ examined, reports }: ErasureCounts): boolean {
  return reports > examined * COMMON_SHARE;
}

/** Two counts of different parts of a project. */
export function addErasureCounts(
  a: ErasureCounts | undefined,
  b: Partial<ErasureCounts>,
): ErasureCounts {
  const uploads = [...new Set([...(a?.uploads ?? []), ...(b.uploads ?? [])])];
  return {
    examined: (a?.examined ?? 0) + (b.examined ?? 0),
    reports: (a?.reports ?? 0) + (b.reports ?? 0),
    issues: (a?.issues ?? 0) + (b.issues ?? 0),
    comments: (a?.comments ?? 0) + (b.comments ?? 0),
    ...(uploads.length > 0 && { uploads: uploads.slice(0, MAX_LISTED_UPLOADS) }),
  };
}
