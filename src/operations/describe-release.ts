/** What a build says about a release: its deploys and commits, and the issues that these fix. */
import * as v from "valibot";
import { artifactLimits } from "../core/artifacts/artifact-limits.ts";
import { releaseLimits } from "../core/artifacts/release-limits.ts";
import { isCommit } from "../core/issue/fix-event.ts";
import { limits } from "../core/limits.ts";
import type { ReleaseChange, ReleaseCommit, ReleaseFacts } from "../core/ports/source-maps-port.ts";
import { listFixedDigests } from "../core/release/fixed-digests.ts";
import type { Digest } from "../core/report.ts";
import { CODE_OWNERS_PATHS } from "../core/repositories/code-owners-paths.ts";
import { repositoryLimits } from "../core/repositories/repository-limits.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { truncateOneLine } from "../core/truncate.ts";
import { plainText, releaseText, timeText } from "./inputs.ts";
import { defineOperation, type OperationServices } from "./operation.ts";
import { byErrata } from "./provenance.ts";
import { releaseFacts } from "./releases.ts";

/** The characters of a commit's id that people read. */
const SHORT_ID_CHARS = 10;
const MAX_AUTHOR_CHARS = 60;

/** A change of an issue by a commit. */
interface Fix {
  readonly digest: Digest;
  readonly commit: ReleaseCommit;
}

/**
 * Stores the change of a release, and resolves in it the issues that its commits fix. A commit acts
 * once in a project: releases may list it again. The issues are resolved first, so that a call that
 * fails between the two can be repeated. Rejects while an object is unavailable.
 */
export async function describeRelease(
  {
    projectStore,
    sourceMaps,
    nowMs,
  }: Pick<OperationServices, "projectStore" | "sourceMaps" | "nowMs">,
  change: ReleaseChange,
  undoId?: string,
): Promise<{ readonly facts: ReleaseFacts; readonly fixed: readonly Digest[] }> {
  const fixes = (change.commits ?? []).flatMap(listFixes);
  const ids = [...new Set(fixes.map(({ commit }) => commit.id))];
  const newIds = new Set(ids.length === 0 ? [] : await sourceMaps.listNewCommits(ids));
  const byDigest = new Map<Digest, ReleaseCommit>();
  for (const { digest, commit } of fixes) {
    if (byDigest.size === releaseLimits.maxFixesPerCall) break;
    if (newIds.has(commit.id) && !byDigest.has(digest)) byDigest.set(digest, commit);
  }
  const fixed = new Set<Digest>();
  for (const [digest, commit] of byDigest) {
    const decision = {
      state: "resolved",
      release: change.version,
      by: nameCommit(commit),
    } as const;
    if ((await projectStore.decide(digest, decision, undoId)) !== null) fixed.add(digest);
  }
  const merged = [...byDigest].filter(([digest]) => fixed.has(digest));
  if (merged.length > 0)
    await projectStore.recordFixEvents(merged.map((one) => toFixEvent(one, nowMs())));
  const commits = (change.commits ?? []).map(({ id }) => id);
  if (commits.length > 0) {
    const { version } = change;
    const released = await projectStore.recordReleasedCommits(version, commits, undoId);
    for (const digest of released) fixed.add(digest);
  }
  return { facts: await sourceMaps.changeRelease(change), fixed: [...fixed] };
}

function listFixes(commit: ReleaseCommit): readonly Fix[] {
  const message = commit.message?.slice(0, releaseLimits.maxReadMessageChars) ?? "";
  return listFixedDigests(message).map((digest) => ({ digest, commit }));
}

/**
 * A commit of a release is merged, whenever it was written. One that Git does not know has no URL:
 * only its URL would tell it from others, and any upload token could choose what agents are told.
 */
function toFixEvent([digest, commit]: readonly [Digest, ReleaseCommit], atMs: number) {
  const { id, message = "", author, url } = commit;
  const [title = ""] = message.split("\n", 1);
  const known = isCommit(id) ? url : undefined;
  return {
    digests: [digest],
    kind: "merged",
    url: known,
    title,
    commit: id,
    author,
    atMs,
  } as const;
}

/** Who resolved the issue: `commit 3f2a9c1b04 (Ada)`. */
function nameCommit({ id, author }: ReleaseCommit): string {
  const short = id.slice(0, SHORT_ID_CHARS);
  const name = truncateOneLine(author, MAX_AUTHOR_CHARS);
  return name === undefined ? `commit ${short}` : `commit ${short} (${name})`;
}

const { maxUrlChars } = artifactLimits;
const { maxCommitsPerRelease } = releaseLimits;

const commit = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[0-9a-z]{7,64}$/i)),
  repository: v.optional(plainText(maxUrlChars, "repository")),
  message: v.optional(v.string()),
  author: v.optional(plainText(maxUrlChars, "author")),
  at: v.optional(timeText("at")),
  url: v.optional(plainText(maxUrlChars, "url")),
  files: v.optional(list(v.string())),
});

const deploy = v.strictObject({
  environment: plainText(maxUrlChars, "environment"),
  name: v.optional(plainText(maxUrlChars, "name")),
  url: v.optional(plainText(maxUrlChars, "url")),
  started: v.optional(timeText("started")),
  finished: v.optional(timeText("finished")),
});

const encoder = new TextEncoder();

const codeOwners = v.strictObject({
  path: v.picklist(CODE_OWNERS_PATHS),
  text: v.pipe(
    v.string(),
    v.check((text) => encoder.encode(text).length <= repositoryLimits.maxCodeOwnersBytes),
  ),
  repository: v.optional(plainText(maxUrlChars, "repository")),
});

export const putRelease = defineOperation({
  name: "releases.describe",
  summary:
    "Describe a release: its commits, with the files that they change, and a deploy. " +
    "A commit whose message says “Fixes 7F3K-Q2M9” resolves that issue in the release. " +
    "CODEOWNERS replaces that of an earlier release of the repository.",
  role: "member",
  scope: "upload",
  effect: "set",
  rate: "change",
  dependency: "source-maps",
  maxBodyBytes: releaseLimits.maxReleaseBodyBytes,
  route: "PUT /releases/{name}",
  input: v.strictObject({
    name: releaseText(),
    released: v.optional(timeText("released")),
    deploy: v.optional(
      v.pipe(deploy, v.description("deploy with an environment, and times in ISO 8601")),
    ),
    commits: v.optional(
      v.pipe(
        list(commit),
        v.maxLength(maxCommitsPerRelease),
        v.description(
          `at most ${maxCommitsPerRelease} commits, each with an id of 7 to 64 letters and digits`,
        ),
      ),
    ),
    codeOwners: v.optional(
      v.pipe(
        codeOwners,
        v.description(
          `the file CODEOWNERS with its path and a text of at most ${repositoryLimits.maxCodeOwnersBytes} bytes`,
        ),
      ),
    ),
  }),
  output: v.strictObject({
    facts: releaseFacts,
    fixed: list(byErrata("The digest of an issue that the commits resolved")),
    change: byErrata("The id of the change, for changes.undo"),
  }),
  reasons: [],
  audit: (_, output) => ({
    text: "described a release",
    subject: output?.fixed.join(" ").slice(0, limits.maxAuditSubjectChars) || undefined,
  }),
  async run({ name: version, released: releasedMs, deploy: deployed, commits, ...sent }, context) {
    const { services, changeId, caller } = context;
    if (sent.codeOwners !== undefined)
      await services.projectStore.saveCodeOwners({ ...sent.codeOwners, release: version });
    const change: ReleaseChange = {
      version,
      releasedMs,
      ...(deployed !== undefined && { deploy: toDeploy(deployed) }),
      ...(commits !== undefined && { commits: commits.map(toCommit) }),
    };
    const done = await describeRelease(services, change, changeId);
    const facts = caller.isUploader ? toSentFacts(change, done.facts) : done.facts;
    return ok({ ...done, facts, change: changeId });
  },
});

/** What the call itself said, for a token that must not read what others did. */
function toSentFacts(change: ReleaseChange, { createdMs }: ReleaseFacts): ReleaseFacts {
  const { version, releasedMs, deploy, commits = [] } = change;
  return { version, createdMs, releasedMs, deploys: deploy ? [deploy] : [], commits };
}

function toDeploy({ started, finished, ...names }: v.InferOutput<typeof deploy>) {
  return { ...names, startedMs: started, finishedMs: finished };
}

function toCommit({ at, ...names }: v.InferOutput<typeof commit>): ReleaseCommit {
  return { ...names, atMs: at };
}
