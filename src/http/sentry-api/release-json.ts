/** Releases and deploys, as `sentry-cli releases` and the plugins of bundlers send them. */
import { artifactLimits } from "../../core/artifacts/artifact-limits.ts";
import { releaseLimits } from "../../core/artifacts/release-limits.ts";
import {
  asArray,
  asRecord,
  asText,
  filterRecords,
  type JsonFields,
  parseTimeMs,
} from "../../core/decode/as-type.ts";
import { limits } from "../../core/limits.ts";
import type {
  Deploy,
  ReleaseChange,
  ReleaseCommit,
  ReleaseFacts,
} from "../../core/ports/source-maps-port.ts";
import { truncateOneLine, truncateText } from "../../core/truncate.ts";
import type { UploadAccess } from "./upload-access.ts";
import { toProjectSlug } from "./upload-access.ts";

/**
 * The change in the body of a release call. `release` is from the path; the body of a creation has
 * its own. Null without a release.
 */
export function decodeReleaseChange(
  body: JsonFields,
  release: string | undefined,
): ReleaseChange | null {
  const version = release ?? truncateOneLine(asText(body.version), limits.maxReleaseChars);
  if (version === undefined) return null;
  const commits = decodeCommits(body);
  return {
    version,
    releasedMs: parseTimeMs(body.dateReleased),
    ...(commits.length > 0 && { commits }),
  };
}

/** The deploy in a body; null without an environment. */
export function decodeDeploy(body: JsonFields): Deploy | null {
  const environment = decodeName(body.environment);
  if (environment === undefined) return null;
  return {
    environment,
    name: decodeName(body.name),
    url: decodeName(body.url),
    startedMs: parseTimeMs(body.dateStarted),
    finishedMs: parseTimeMs(body.dateFinished),
  };
}

/**
 * Commits come with their messages (`--local`), or as the last commit of each repository (`refs`).
 */
function decodeCommits(body: JsonFields): readonly ReleaseCommit[] {
  const commits = filterRecords(asArray(body.commits) ?? []).map((fields) => ({
    id: decodeName(fields.id),
    repository: decodeName(fields.repository),
    message: asText(fields.message),
    author: decodeName(fields.author_name),
    atMs: parseTimeMs(fields.timestamp),
    ...decodeFiles(fields.patch_set),
  }));
  const refs = filterRecords(asArray(body.refs) ?? []).map((fields) => ({
    id: decodeName(fields.commit),
    repository: decodeName(fields.repository),
  }));
  return [...commits, ...refs]
    .flatMap(({ id, ...facts }) => (id === undefined ? [] : [{ id, ...facts }]))
    .slice(0, releaseLimits.maxCommitsPerRelease);
}

/** The changed files of a commit: `[{"path":"src/cart.ts","type":"M"}]`. */
function decodeFiles(patchSet: unknown): Pick<ReleaseCommit, "files"> {
  const files = filterRecords(asArray(patchSet) ?? []).flatMap(({ path }) => asText(path) ?? []);
  return files.length > 0 ? { files } : {};
}

function decodeName(value: unknown): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : truncateText(text, artifactLimits.maxUrlChars);
}

export function decodeProjectNames(body: unknown): readonly string[] {
  return (asArray(asRecord(body)?.projects) ?? []).map(String);
}

/** A release in Sentry's form. */
export function toReleaseJson(facts: ReleaseFacts, { project }: Pick<UploadAccess, "project">) {
  return {
    version: facts.version,
    dateCreated: toIsoTime(facts.createdMs),
    dateReleased: toIsoTime(facts.releasedMs),
    url: null,
    newGroups: 0,
    deployCount: facts.deploys.length,
    commitCount: facts.commits.length,
    projects: [{ id: Number(project.id), slug: toProjectSlug(project), name: project.name }],
  };
}

/** A deploy in Sentry's form. */
export function toDeployJson({ environment, name, url, startedMs, finishedMs }: Deploy) {
  return {
    environment,
    name: name ?? "",
    url: url ?? null,
    dateStarted: toIsoTime(startedMs),
    dateFinished: toIsoTime(finishedMs),
  };
}

function toIsoTime(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}
