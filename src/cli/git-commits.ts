/** The commits of a release, as git has them, with the files that each changes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
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

/** Limits of `releases.describe`. Further commits and files are left out. */
const MAX_COMMITS = 100;
const MAX_FILES = 100;
const MAX_MESSAGE_CHARS = 2_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Cannot be in a name or a message: git ends them at NUL, and puts these between. */
const FORMAT = "%x01%H%x02%an%x02%cI%x02%B%x03";

/** The name of the release of a checkout: its commit. */
export async function readHead(): Promise<string> {
  return (await git("rev-parse", "HEAD")).trim();
}

/** True if the repository has the commit. */
export async function hasCommit(id: string): Promise<boolean> {
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
    ...["log", "-z", "--name-only", `--max-count=${MAX_COMMITS}`, `--format=${FORMAT}`],
    ...[range, "--"],
  );
  const place = await readRemote();
  return parseLog(output).map((commit) => ({
    ...commit,
    ...(place !== undefined && {
      repository: place.repository,
      url: `${place.commits}${commit.id}`,
    }),
  }));
}

/** The output of `git log` with the format above. */
export function parseLog(output: string): readonly SentCommit[] {
  return output
    .split("\u0001")
    .slice(1)
    .map((record) => {
      const [head = "", files = ""] = record.split("\u0003");
      const [id = "", author = "", at = "", message = ""] = head.split("\u0002");
      const paths = files.split("\0").map((path) => path.replace(/^\n+/, ""));
      return {
        id,
        author,
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
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(remote) ??
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
