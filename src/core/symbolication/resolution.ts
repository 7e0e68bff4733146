/**
 * The request of a page about the stacks of a report, and the answer for each frame. Positions are
 * 1-based, as reports store them.
 */
import type { DebugImage } from "../report/debug-images.ts";

/** A frame as it was sent. */
export interface SentFrame {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly function?: string;
}

/** Where and when a stack was reported, which decides between uploads of one name. */
export interface StackOrigin {
  /** The host of the page (`getPageHost`). */
  readonly pageHost?: string;
  /** When the error occurred, Unix ms. */
  readonly atMs?: number;
}

/** The stacks of one report: of the error and of each cause, frames newest first. */
export interface ResolveRequest {
  readonly stacks: readonly (readonly SentFrame[])[];
  /** One for each of `stacks`; absent if nothing is known. */
  readonly origins?: readonly StackOrigin[];
  /** True for a question without a report: the script counts as one of a page on its own host. */
  readonly isCheck?: true;
  /** The debug ids by file. A file may have several. */
  readonly images: readonly DebugImage[];
  readonly release?: string;
  readonly dist?: string;
  /** Omits lines of source, which cost more than the rest of the answer. */
  readonly withoutLines?: true;
  /** Lines before and after each frame's own; by default `limits.maxSourceLines`. */
  readonly sourceLines?: number;
}

/**
 * How the map of a frame was found, strongest first. `release` is release, dist and URL; `name` is
 * the name of the file, where nothing else can be meant (`select-upload.ts`).
 */
export type MatchMethod = "debug-id" | "release" | "name";

/** How a map was found, and every doubt about it. Pages show all of it. */
export interface MatchMarks {
  readonly matchedBy: MatchMethod;
  /** The dist of the upload, if the report's is another; empty if the upload has none. */
  readonly otherDist?: string;
  /** The number of builds at this URL of the release, if there are several. */
  readonly builds?: number;
  /** The debug id that the report names for the script, if no upload has it. */
  readonly unknownDebugId?: string;
  /** The host of the script, if the upload is for any host and no page is known to have it. */
  readonly otherHost?: string;
}

/** A frame in the original source. */
export interface ResolvedFrame extends MatchMarks {
  readonly kind: "resolved";
  /** The source to show: `src/cart.tsx`. */
  readonly file: string;
  /** The source as the map names it, if it differs: `webpack://shop/./src/cart.tsx`. */
  readonly mapSource?: string;
  readonly line: number;
  readonly column: number;
  /** Absent if no name was found; `<anonymous>` and `<module>` are names. */
  readonly function?: string;
  readonly inApp: boolean;
  /** Up to five lines before and after, or those asked for, scrubbed and cut; absent without `sourcesContent`. */
  readonly source?: string;
  readonly sourceBefore?: readonly string[];
  readonly sourceAfter?: readonly string[];
  /** The id of the upload; absent for a map that is not uploaded. */
  readonly upload?: string;
}

/** Why a frame has no original place. `explain-frame.ts` has a sentence for each. */
export type UnmappedReason =
  /** The report's release has no uploads, and no upload has the debug id. */
  | { readonly reason: "nothing-uploaded"; readonly debugId?: string }
  /** The release has uploads, but none with this URL. `uploadedUrl` has the same file name. */
  | { readonly reason: "other-url"; readonly uploadedUrl?: string }
  /** The same file was uploaded with another debug id: the deployed file is a different one. */
  | { readonly reason: "other-debug-id"; readonly debugId: string; readonly uploadedId: string }
  /**
   * The release has the file for other dists only. `dists` are those, an empty one is an upload
   * without a dist; `dist` is the report's, absent if it names none.
   */
  | { readonly reason: "other-dist"; readonly dists: readonly string[]; readonly dist?: string }
  /** The script is from a host that is neither the page's nor named by an upload. */
  | { readonly reason: "other-host"; readonly host: string }
  /** The script was uploaded without a map. `mapUrl` is the map that it names. */
  | { readonly reason: "map-missing"; readonly mapUrl?: string }
  /** The map was refused. */
  | { readonly reason: "map-refused"; readonly problem: string }
  /** The upload is still being converted. */
  | { readonly reason: "converting" }
  /** The map has no segment for the position. */
  | { readonly reason: "no-segment"; readonly line: number; readonly column?: number }
  /** Several uploads have this file name, and the sender named neither debug id nor release. */
  | { readonly reason: "ambiguous"; readonly uploads: number }
  /** The report has no line. */
  | { readonly reason: "no-position" }
  /** A native function, an extension, an inline script, or a frame that names a source already. */
  | { readonly reason: "not-expected" };

/** A frame that stays as it was sent. */
export type UnmappedFrame = { readonly kind: "unmapped" } & UnmappedReason;

export type FrameResolution = ResolvedFrame | UnmappedFrame;
