/**
 * Links from the frames of a stack to their lines in the repositories of a project, at the commit
 * of the release. Every frame of the application whose file has a path in a repository gets one;
 * that the repository has the file is only known if a commit of the release changed it.
 */

import { findFile, type KnownFile } from "../release/match-file.ts";
import type { ReleaseCommit } from "../release/release-facts.ts";
import {
  type CodeFrame,
  type FramePath,
  readClassPath,
  readFramePath,
  readPackagePath,
  removeRoot,
  toSegments,
} from "./frame-path.ts";
import type { Repository } from "./repository.ts";
import {
  deriveRepository,
  getBranch,
  getHostTitle,
  getRepositoryName,
  type Revision,
  toCodeUrl,
} from "./repository-hosts.ts";

/** What decides where the code of a report is. */
export interface CodeSource {
  /** As owners set them; none if they have not. */
  readonly repositories: readonly Repository[];
  /** The release of the report. */
  readonly release?: string | undefined;
  /** The commits of that release. */
  readonly commits: readonly ReleaseCommit[];
}

/** A line in a repository. */
export interface SourceLink {
  readonly url: string;
  /** The path in the repository: `src/cart.tsx`. */
  readonly path: string;
  /** `GitHub` */
  readonly host: string;
  /** `acme/shop` */
  readonly repository: string;
  /** The commit of the release, or the branch if that is not known. */
  readonly revision: Revision;
}

/** The path of a frame in a repository. */
export interface PathInRepository {
  /** Absent for a project without repositories, whose frames have paths nevertheless. */
  readonly repository?: Repository;
  readonly segments: readonly string[];
}

/** A repository, and what is known about it. */
interface KnownRepository {
  readonly repository: Repository;
  readonly name: string;
  readonly revision: Revision;
  readonly files: readonly KnownFile[];
}

/** Finds the files of frames, and their links. Made once for all frames of a release. */
export interface CodeFinder {
  /** Undefined for a library, for the output of a build, and for a file of no repository. */
  readonly findPath: (frame: CodeFrame) => PathInRepository | undefined;
  readonly findLink: (frame: CodeFrame) => SourceLink | undefined;
}

/** Without repositories, the one that the commits name, if it is certain. */
export function createCodeFinder({ repositories, release, commits }: CodeSource): CodeFinder {
  const derived = repositories.length > 0 ? undefined : deriveRepository(commits);
  // An erasure may have changed a URL.
  const usable = repositories.filter(({ url }) => URL.canParse(url));
  const all = derived === undefined ? usable : [derived];
  const isOnly = all.length === 1;
  const known = all.map((repository) => describeRepository(repository, release, commits, isOnly));
  const files = listFiles(commits);
  const read = (frame: CodeFrame) => (frame.inApp ? readFramePath(frame) : undefined);
  return {
    findPath(frame) {
      const path = read(frame);
      if (path === undefined) return undefined;
      if (known.length === 0) return findAnywhere(path, files);
      const found = findInRepositories(frame, path, known);
      return found && { repository: found.repository, segments: found.segments };
    },
    findLink(frame) {
      const path = read(frame);
      const found = path && findInRepositories(frame, path, known);
      if (found === undefined) return undefined;
      const { repository, segments, name, revision } = found;
      const url = toCodeUrl(repository, revision, segments, frame.line);
      return url === undefined
        ? undefined
        : {
            url,
            path: segments.join("/"),
            host: getHostTitle(repository),
            repository: name,
            revision,
          };
    },
  };
}

function describeRepository(
  repository: Repository,
  release: string | undefined,
  commits: readonly ReleaseCommit[],
  isOnly: boolean,
): KnownRepository {
  const name = getRepositoryName(repository);
  const own = commits.filter((commit) => isOfRepository(commit, repository, name, isOnly));
  const files = listFiles(own);
  const commit = findNewest(own)?.id ?? readCommitOfRelease(release);
  const branch = getBranch(repository);
  const revision = commit !== undefined ? { commit } : branch === undefined ? {} : { branch };
  return { repository, name, revision, files };
}

function listFiles(commits: readonly ReleaseCommit[]): readonly KnownFile[] {
  const paths = new Set(commits.flatMap(({ files = [] }) => files));
  return Array.from(paths, (path) => ({ segments: toSegments(path) ?? [] }));
}

/** The path of a frame in a repository that nobody has named. */
function findAnywhere(
  { segments, kind }: FramePath,
  files: readonly KnownFile[],
): PathInRepository | undefined {
  const file = findFile(segments, files);
  if (file !== undefined) return file;
  if (kind === "built") return undefined;
  const own = kind === "absolute" ? removeRoot(segments, "") : segments;
  return own && { segments: own };
}

/** A commit that names no repository is of the only one. */
function isOfRepository(
  { url, repository: named }: ReleaseCommit,
  repository: Repository,
  name: string,
  isOnly: boolean,
): boolean {
  if (url?.toLowerCase().startsWith(`${repository.url.toLowerCase()}/`)) return true;
  if (named === undefined) return isOnly;
  const [full, short] = [name.toLowerCase(), named.toLowerCase()];
  return full === short || full.endsWith(`/${short}`) || short.endsWith(`/${full}`);
}

const COMMIT_ID = /^[0-9a-f]{7,64}$/i;

/** By the times of the commits; those without one are in the order of arrival. */
function findNewest(commits: readonly ReleaseCommit[]): ReleaseCommit | undefined {
  return commits
    .filter(({ id }) => COMMIT_ID.test(id))
    .reduce<ReleaseCommit | undefined>(
      (newest, one) => ((newest?.atMs ?? 0) > (one.atMs ?? 0) ? newest : one),
      undefined,
    );
}

/**
 * The commit that a release is named by, also after its package: `shop@3f2a9c1b04`. A short one
 * must have a letter and a digit, so that it is no date and no word.
 */
export function readCommitOfRelease(release = ""): string | undefined {
  const id = release.slice(release.lastIndexOf("@") + 1);
  const isFull = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(id);
  const isShort = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,39}$/i.test(id);
  return isFull || isShort ? id : undefined;
}

type Found = KnownRepository & Pick<PathInRepository, "segments">;

/** Repositories with a matching prefix come first, then those that are known to have the file. */
function findInRepositories(
  frame: CodeFrame,
  path: FramePath,
  known: readonly KnownRepository[],
): Found | undefined {
  const prefixed = known
    .filter(({ repository }) => repository.prefix !== undefined)
    .toSorted((a, b) => (b.repository.prefix?.length ?? 0) - (a.repository.prefix?.length ?? 0));
  for (const one of prefixed) {
    const rest = removePrefix(frame, path, one.repository.prefix ?? "");
    if (rest === undefined || path.kind === "built") continue;
    return { ...one, segments: withFolder(rest, one.repository) };
  }
  const others = known.filter(({ repository }) => repository.prefix === undefined);
  for (const one of others) {
    const file = findFile(path.segments, one.files);
    if (file !== undefined) return { ...one, segments: file.segments };
  }
  if (path.kind === "built") return undefined;
  for (const one of others) {
    const segments = readPath(frame, path, one.repository);
    if (segments !== undefined && segments.length > 0) return { ...one, segments };
  }
  return undefined;
}

/** The path below the prefix, which is one of the file as it was sent, or of its path. */
function removePrefix(
  { file = "", absPath = "" }: CodeFrame,
  { segments }: FramePath,
  prefix: string,
): readonly string[] | undefined {
  for (const text of [file, absPath]) {
    const normal = text.replaceAll("\\", "/");
    if (!normal.startsWith(prefix.replaceAll("\\", "/"))) continue;
    const rest = readFramePath({
      file: normal.slice(prefix.length),
      inApp: true,
      isResolved: true,
    });
    return rest?.segments;
  }
  const parts = toSegments(prefix.replaceAll("\\", "/").replace(/^[a-z]:/i, "")) ?? [];
  const isBelow = parts.length > 0 && parts.every((part, n) => segments[n] === part);
  return isBelow && segments.length > parts.length ? segments.slice(parts.length) : undefined;
}

function readPath(
  frame: CodeFrame,
  { segments, kind }: FramePath,
  repository: Repository,
): readonly string[] | undefined {
  const { folder, url } = repository;
  const { host, pathname } = new URL(url);
  const ofPackage = readPackagePath(frame, segments, host + pathname);
  if (ofPackage !== undefined) return ofPackage;
  const ofClass = readClassPath(frame, segments, folder);
  if (ofClass !== undefined) return withFolder(ofClass, repository);
  const name = pathname.split("/").at(-1) ?? "";
  const own = kind === "absolute" ? removeRoot(segments, name) : segments;
  return own && withFolder(own, repository);
}

function withFolder(
  segments: readonly string[],
  { folder }: Pick<Repository, "folder">,
): readonly string[] {
  const parts = folder === undefined ? [] : folder.split("/");
  const isBelow = parts.every((part, n) => segments[n] === part);
  return isBelow ? segments : [...parts, ...segments];
}
