/** A release as the commands of upload tools describe it. Stored in a row, and in KV. */
import * as v from "valibot";
import { list, type StoredValue, storedObject, text, timeMs } from "../schema/stored-object.ts";

/** A deploy of a release (`sentry-cli deploys new`). */
export type Deploy = StoredValue<typeof deploySchema>;
const deploySchema = /* @__PURE__ */ storedObject({
  environment: text(),
  name: v.optional(text()),
  url: v.optional(text()),
  startedMs: v.optional(timeMs),
  finishedMs: v.optional(timeMs),
});

/** A commit of a release (`sentry-cli releases set-commits`). */
export type ReleaseCommit = StoredValue<typeof commitSchema>;
const commitSchema = /* @__PURE__ */ storedObject({
  id: text(),
  repository: v.optional(text()),
  message: v.optional(text()),
  author: v.optional(text()),
  atMs: v.optional(timeMs),
  /** Of the commit, at the host of the repository. */
  url: v.optional(text()),
  /** Paths of changed files in the repository. Only the newest releases keep them. */
  files: v.optional(list(text())),
});

/** What upload tools said about a release. */
export type ReleaseFacts = StoredValue<typeof releaseFactsSchema>;
export const releaseFactsSchema = /* @__PURE__ */ storedObject({
  version: text(),
  createdMs: timeMs,
  /** `sentry-cli releases finalize`. */
  releasedMs: v.optional(timeMs),
  deploys: list(deploySchema),
  commits: list(commitSchema),
});

/** A deploy of a release, or the release itself if build tools sent a date and no deploy. */
export interface DeployMoment {
  readonly release: string;
  readonly environment?: string;
  /** Unix ms. */
  readonly atMs: number;
}
