/** The commits of a release, as git has them, with the files that each changes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { releaseLimits } from "../core/artifacts/release-limits.ts";
import { CODE_OWNERS_PATHS } from "../core/repositories/code-owners-paths.ts";
import { repositoryLimits } from "../core/repositories/repository-limits.ts";
import { CommandFailure } from "./failure.ts";

/** A commit in the body of `releases.describe`. */
export interface SentCommit {
  readonly id: string;
  readonly author: string;
  readonly at: string;
  readonly message: string;
  readonly files: readonly string[];
  readonly repository?: string;
  readonly url?: string;
}

/** Of `releases.describe`. Further commits and files are left out. */
const { maxCommitsPerRelease: MAX_COMMITS, maxFilesPerCommit: MAX_FILES } = releaseLimits;
/** The first characters of a message, and those that are kept if a body could not hold all. */
const MAX_MESSAGE_CHARS = 2_000;
const MIN_MESSAGE_CHARS = releaseLimits.maxCommitMessageChars;
const MAX_NAME_CHARS = 200;
/** The rest of the body is for the other members: a line feed of CODEOWNERS takes two bytes. */
const MAX_BODY_BYTES =
  releaseLimits.maxReleaseBodyBytes - 12 * 1024 - 2 * repositoryLimits.maxCodeOwnersBytes;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * NUL is the only character that no name, message or path can have. Each part begins with a letter,
 * so that only the beginning of a commit follows an empty part.
 */
const FORMAT = "%x00%x00i%H%x00a%an%x00t%cI%x00m%B%x00";

/** The name of the release of a checkout: its commit. */
export async function readHead(): Promise<string> {
  return (await git("rev-parse", "HEAD")).trim();
}

/** True if the repository has the commit. */
export async function hasCommit(id: string): Promise<boolean> {
  // Build tools may name a commit as they like, and git takes some names for options.
  if (!/^[0-9a-f]{7,64}$/i.test(id)) return false;
  try {
    await git("cat-file", "-e", `${id}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/**
 * The commits of a range such as `v1.4.1..HEAD`, newest first. A merge has the message of a pull
 * request, and no files.
 */
export async function readCommits(range: string): Promise<readonly SentCommit[]> {
  if (range.startsWith("-")) throw new CommandFailure("usage", "--range: expected a range of git.");
  const output = await git(
    ...["log", "-z", "--name-only", "--no-relative", "--no-show-signature", "--encoding=UTF-8"],
    ...[`--max-count=${MAX_COMMITS}`, `--format=${FORMAT}`, range, "--"],
  );
  const place = await readRemote();
  const commits = parseLog(output).map((commit) => ({
    ...commit,
    ...(place !== undefined && {
      repository: place.repository,
      url: `${place.commits}${commit.id}`,
    }),
  }));
  return limitCommits(commits);
}

/** CODEOWNERS in the body of `releases.describe`. */
export interface SentCodeOwners {
  readonly path: string;
  readonly text: string;
  readonly repository?: string;
}

/**
 * The file CODEOWNERS of the last commit: the first one in the order of GitHub and GitLab.
 * Undefined without any, where there is no repository, and for a large file, which `warn` gets a
 * sentence about.
 */
export async function readCodeOwners(
  warn: (text: string) => void,
): Promise<SentCodeOwners | undefined> {
  for (const path of CODE_OWNERS_PATHS) {
    const text = await git("show", `HEAD:${path}`).catch(() => undefined);
    if (text === undefined) continue;
    if (Buffer.byteLength(text) > repositoryLimits.maxCodeOwnersBytes) {
      warn(
        `${path} is not sent: it has more than ${repositoryLimits.maxCodeOwnersBytes / 1024} KB.`,
      );
      return undefined;
    }
    const place = await readRemote();
    return { path, text, ...(place !== undefined && { repository: place.repository }) };
  }
  return undefined;
}

/** The commits with fewer files and shorter messages, if a body could not hold all. */
export function limitCommits(
  commits: readonly SentCommit[],
  maxBytes = MAX_BODY_BYTES,
): readonly SentCommit[] {
  let limited = commits;
  const isLarge = () => Buffer.byteLength(JSON.stringify(limited)) > maxBytes;
  for (let part = 2; part <= 2 * MAX_FILES && isLarge(); part *= 2)
    limited = commits.map(({ files, message, ...commit }) => ({
      ...commit,
      message: message.slice(0, Math.max(MIN_MESSAGE_CHARS, MAX_MESSAGE_CHARS / part)),
      files: files.slice(0, MAX_FILES / part),
    }));
  return limited;
}

/** The output of `git log` with the format above. */
export function parseLog(output: string): readonly SentCommit[] {
  const parts = output.split("\0");
  const starts = parts.flatMap((part, at) =>
    parts[at - 1] === "" && /^i[0-9a-f]{40,64}$/.test(part) ? [at] : [],
  );
  return starts.map((start, n) => {
    const [id = "", author = "", at = "", message = "", ...rest] = parts
      .slice(start, starts[n + 1])
      .map((part, index) => (index < 4 ? part.slice(1) : part));
    const paths = rest.map((path) => path.replace(/^\n/, ""));
    return {
      id,
      author: author.replace(/\p{Cc}/gu, " ").slice(0, MAX_NAME_CHARS),
      at,
      message: message.trim().slice(0, MAX_MESSAGE_CHARS),
      files: paths.filter((path) => path !== "").slice(0, MAX_FILES),
    };
  });
}

/** The repository on its host: `acme/shop`, and the URL that a commit's id completes. */
async function readRemote() {
  try {
    return parseRemote((await git("remote", "get-url", "origin")).trim());
  } catch {
    return undefined;
  }
}

/** The same of a remote: `git@github.com:acme/shop.git`, or a URL. Never with a password. */
export function parseRemote(
  remote: string,
): { readonly repository: string; readonly commits: string } | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^/]*@)?([^@/:]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(remote) ??
    /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(remote) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  const name = host.includes("gitlab")
    ? "-/commit"
    : host.includes("bitbucket")
      ? "commits"
      : "commit";
  return { repository: path, commits: `https://${host}/${path}/${name}/` };
}

async function git(...words: readonly string[]): Promise<string> {
  try {
    const options = { maxBuffer: MAX_OUTPUT_BYTES, encoding: "utf8" } as const;
    return (await promisify(execFile)("git", [...words], options)).stdout;
  } catch (cause) {
    const { stderr = "", message } = cause as {
      readonly stderr?: string;
      readonly message: string;
    };
    const [line = ""] = stderr.trim().split("\n");
    throw new CommandFailure("failed", `git failed: ${line || message}`);
  }
}
