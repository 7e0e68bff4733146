import type {
  Deploy,
  DeployMoment,
  ReleaseCommit,
  ReleaseFacts,
} from "../release/release-facts.ts";
import type { WriteBudgetUsage } from "../stats/store-health.ts";

export type { Deploy, DeployMoment, ReleaseCommit, ReleaseFacts };

/** An upload of one build, as `/source-maps` lists it. */
export interface ArtifactUpload {
  /** The SHA-1 of the bundle, in hex. */
  readonly id: string;
  readonly uploadedMs: number;
  readonly release?: string;
  readonly dist?: string;
  /** The tool, from its `User-Agent`: `sentry-cli/3.8.0`. */
  readonly tool?: string;
  readonly state: "converting" | "ready" | "failed";
  /** Why the whole upload failed. */
  readonly problem?: string;
  readonly files: number;
  readonly maps: number;
  /** Scripts without a map. */
  readonly scriptsWithoutMap: number;
  /** Bytes that the project stores for it. Files that earlier uploads have are counted there. */
  readonly storedBytes: number;
  /** When it last resolved a frame; accurate to a day. */
  readonly lastUsedMs?: number;
}

/** A file of an upload. */
export interface ArtifactFile {
  readonly url: string;
  readonly kind: "script" | "map" | "source";
  readonly debugId?: string;
  readonly bytes: number;
  /** For a map: the number of its sources, and of those with their text. */
  readonly sources?: number;
  readonly sourcesWithText?: number;
  readonly problems: readonly string[];
}

/** The uploads of a project. */
export interface SourceMapSummary {
  readonly uploads: readonly ArtifactUpload[];
  readonly storedBytes: number;
  /** The most bytes that a project may store. */
  readonly maxStoredBytes: number;
  /** Failures that upload tools did not show, newest first. */
  readonly failures: readonly { readonly atMs: number; readonly detail: string }[];
  /** Absent for a project without uploads. */
  readonly backlog?: SourceMapBacklog;
}

/** The pending work of the object of the source maps, and its KV writes. */
export interface SourceMapBacklog extends WriteBudgetUsage {
  /** Uploads that are not converted yet. */
  readonly converting: number;
  /** Converted uploads that KV lacks. */
  readonly unsaved: number;
  /** The delay of the next write by the write budget, in ms. */
  readonly waitMs: number;
  /** Writes and deletions that KV refused since the last success. */
  readonly failedWrites: number;
}

/** A built script in the stacks of a release. */
export interface ReleaseScript {
  readonly file: string;
  readonly debugIds?: readonly string[];
}

/** A built script, and whether it has a map. */
export interface ScriptCoverage {
  readonly file: string;
  readonly hasMap: boolean;
}

/** What the page of an issue shows of releases. */
export interface IssueReleases {
  /** Newest first. */
  readonly deploys: readonly DeployMoment[];
  /** Of the release that the issue is new in; none if no tool has sent any. */
  readonly commits: readonly ReleaseCommit[];
}

/** A change of the facts of a release. Absent members stay; deploys and commits are added. */
export interface ReleaseChange {
  readonly version: string;
  readonly releasedMs?: number;
  readonly deploy?: Deploy;
  readonly commits?: readonly ReleaseCommit[];
}

/** A bundle that an upload tool asks to assemble from chunks. Checksums are SHA-1, in hex. */
export interface BundleToAssemble {
  readonly checksum: string;
  readonly chunks: readonly string[];
  readonly release?: string;
  readonly dist?: string;
  readonly tool?: string;
  /** The id of the token or person that sends it, whose bytes in an hour are limited. */
  readonly sender?: string;
}

/** The state of a bundle, in the words of Sentry's API. */
export interface AssembleState {
  readonly state: "not_found" | "created" | "assembling" | "ok" | "error";
  readonly missingChunks: readonly string[];
  readonly detail?: string;
}

/** A file that is uploaded without a bundle (`curl -T`). */
export interface SingleUpload {
  /** The name of the uploaded file, if the request has one. */
  readonly name?: string;
  readonly release?: string;
  readonly dist?: string;
  /** The URL of the file, or the prefix of the files of an archive: `~/assets/`. */
  readonly url?: string;
  readonly tool?: string;
  /** As that of a bundle. */
  readonly sender?: string;
}

/** Why an upload was refused. `detail` is a sentence for the person who uploads. */
export type UploadRefusal =
  | { readonly reason: "invalid-upload"; readonly detail: string }
  | { readonly reason: "upload-too-large"; readonly detail: string }
  | { readonly reason: "storage-full"; readonly detail: string };
