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

/** The stacks of one report: of the error and of each cause, frames newest first. */
export interface ResolveRequest {
  readonly stacks: readonly (readonly SentFrame[])[];
  readonly images: readonly DebugImage[];
  readonly release?: string;
  readonly dist?: string;
  /** Omits lines of source, which cost more than the rest of the answer. */
  readonly withoutLines?: true;
}

/**
 * How the map of a frame was found, strongest first. `release` is release, dist and URL; `script`
 * is the debug id in the uploaded script; `name` is the file's name alone, if only one upload has
 * it.
 */
export type MatchMethod = "debug-id" | "release" | "script" | "name";

/** A frame in the original source. */
export interface ResolvedFrame {
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
  /** Up to five lines before and after, scrubbed and cut; absent without `sourcesContent`. */
  readonly source?: string;
  readonly sourceBefore?: readonly string[];
  readonly sourceAfter?: readonly string[];
  readonly matchedBy: MatchMethod;
  /** The dist of the upload, if the report's is another. */
  readonly otherDist?: string;
}

/** Why a frame has no original place. `explain-frame.ts` has a sentence for each. */
export type UnmappedReason =
  /** The report's release has no uploads, and no upload has the debug id. */
  | { readonly reason: "nothing-uploaded"; readonly debugId?: string }
  /** The release has uploads, but none with this URL. `uploadedUrl` has the same file name. */
  | { readonly reason: "other-url"; readonly uploadedUrl?: string }
  /** The same file was uploaded with another debug id: the deployed file is a different one. */
  | { readonly reason: "other-debug-id"; readonly debugId: string; readonly uploadedId: string }
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
