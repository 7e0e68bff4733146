/** The RPC interface of SourceMaps, and its requests with streamed bodies. */
import type { SourceMapStore } from "../../core/ports/source-maps-port.ts";

/** The methods of SourceMaps. Each rejects while the object reads its record from KV. */
export interface SourceMapsRpc extends SourceMapStore {
  /** Deletes everything. Resolves to the KV keys of its record, which KV's list may miss. */
  wipe(): Promise<readonly string[]>;
  /**
   * Compares the next keys of the record in KV with the object, reads values that the object lacks,
   * and rewrites values that KV lacks. Resolves to where to continue; undefined at the end.
   */
  rebuildSome(cursor: string | undefined): Promise<RebuiltPart>;
  /** The next uploads that contain a text, and where to continue; absent at the end. */
  findText(text: string, cursor: string | undefined): Promise<FoundUploads>;
  /** Erases a text from everything but the uploads, which an owner deletes. */
  eraseText(text: string): Promise<void>;
  /** Resolves when no write to KV is in progress. */
  waitForRecord(): Promise<void>;
}

/** The ids of some uploads. */
export interface FoundUploads {
  readonly uploads: readonly string[];
  readonly next?: string;
}

/** A part of a rebuild. */
export interface RebuiltPart {
  readonly cursor?: string;
  /** Calls to KV. */
  readonly operations: number;
  /** At the end: the number of the newest upload that is ready; null if there is none. */
  readonly newestUpload?: number | null;
  /** At the end: the listed keys whose values KV did not return. */
  readonly missing?: number;
}

export interface SourceMapsObject extends SourceMapsRpc, Rpc.DurableObjectBranded {}

/** Paths of the requests. `SINGLE_PATH` has the members of `SingleUpload` as its query. */
export const CHUNKS_PATH = "/chunks";
export const SINGLE_PATH = "/single";
