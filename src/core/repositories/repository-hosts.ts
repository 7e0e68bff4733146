/**
 * The services that host repositories: how each is recognized, and the URL of a line of a file in
 * it. Owners of a project enter repositories; paths come from reports, so every part of them is
 * encoded here. Sources: docs.github.com, "Creating a permanent link to a code snippet";
 * docs.gitlab.com, "Permalinks"; Bitbucket Cloud and Azure DevOps, as their pages link.
 */
import { isPlainText } from "../plain-text.ts";
import { fail, ok, type Result } from "../result.ts";
import { decodePercent } from "../scripts/script-address.ts";
import type { Repository, RepositoryKind } from "./repository.ts";
import { repositoryLimits } from "./repository-limits.ts";

/** A line of a file. */
interface CodePlace {
  /** The commit or the branch, encoded. */
  readonly ref: string;
  readonly isCommit: boolean;
  /** The path, with each segment encoded. */
  readonly path: string;
  readonly line?: number | undefined;
}

interface Host {
  /** Its name on pages. */
  readonly title: string;
  /** The hosts that belong to it: its own, which speak https only, and names of other servers. */
  readonly own: RegExp;
  readonly others?: RegExp;
  /** In place of a branch that is not set. */
  readonly branch: string;
  readonly toUrl: (url: string, place: CodePlace) => string;
}

const toFragment = (mark: string, line: number | undefined) =>
  line === undefined ? "" : `#${mark}${line}`;

const HOSTS: Readonly<Record<Exclude<RepositoryKind, "template">, Host>> = {
  github: {
    title: "GitHub",
    own: /^github\.com$/,
    others: /(?:^|[.-])(?:github|ghe)(?=[.-])/,
    branch: "HEAD",
    toUrl: (url, { ref, path, line }) => `${url}/blob/${ref}/${path}${toFragment("L", line)}`,
  },
  gitlab: {
    title: "GitLab",
    own: /^gitlab\.com$/,
    others: /(?:^|[.-])gitlab(?=[.-])/,
    branch: "HEAD",
    toUrl: (url, { ref, path, line }) => `${url}/-/blob/${ref}/${path}${toFragment("L", line)}`,
  },
  bitbucket: {
    title: "Bitbucket",
    own: /^bitbucket\.org$/,
    branch: "HEAD",
    toUrl: (url, { ref, path, line }) => `${url}/src/${ref}/${path}${toFragment("lines-", line)}`,
  },
  gitea: {
    title: "Forgejo or Gitea",
    own: /^(?:codeberg\.org|gitea\.com)$/,
    others: /(?:^|[.-])(?:gitea|forgejo)(?=[.-])/,
    branch: "main",
    toUrl: (url, { ref, isCommit, path, line }) =>
      `${url}/src/${isCommit ? "commit" : "branch"}/${ref}/${path}${toFragment("L", line)}`,
  },
  azure: {
    title: "Azure DevOps",
    own: /^(?:dev\.azure\.com|[\w-]+\.visualstudio\.com)$/,
    branch: "",
    toUrl(url, { ref, isCommit, path, line }) {
      const version = ref === "" ? "" : `&version=${isCommit ? "GC" : "GB"}${ref}`;
      const lines =
        line === undefined
          ? ""
          : `&line=${line}&lineEnd=${line + 1}&lineStartColumn=1&lineEndColumn=1`;
      return `${url}?path=/${path}${version}${lines}`;
    },
  },
};

/** The name of a service: `GitHub`. For a template, the host of the repository. */
export function getHostTitle({ kind, url }: Pick<Repository, "kind" | "url">): string {
  return kind === "template" ? new URL(url).host : HOSTS[kind].title;
}

/** The names of all services, by kind. */
export const HOST_TITLES: Readonly<Record<RepositoryKind, string>> = {
  github: HOSTS.github.title,
  gitlab: HOSTS.gitlab.title,
  bitbucket: HOSTS.bitbucket.title,
  gitea: HOSTS.gitea.title,
  azure: HOSTS.azure.title,
  template: "Other, by template",
};

/** `acme/shop`: the path of a repository on its host. */
export function getRepositoryName({ url }: Pick<Repository, "url">): string {
  return decodePercent(new URL(url).pathname.slice(1)).replace("/_git/", "/");
}

/** A commit, or the branch in place of an unknown one. */
export interface Revision {
  readonly commit?: string;
  /** Absent for a service that shows its default branch without a name. */
  readonly branch?: string;
}

/** The branch that stands for an unknown commit. */
export function getBranch({ kind, branch }: Repository): string | undefined {
  return branch ?? (kind === "template" ? "main" : HOSTS[kind].branch || undefined);
}

/**
 * The URL of a line in a repository; undefined if it would not begin with the URL of the
 * repository. `segments` is the path of the file; it may be hostile.
 */
export function toCodeUrl(
  repository: Repository,
  { commit, branch = "" }: Revision,
  segments: readonly string[],
  line: number | undefined,
): string | undefined {
  if (segments.length === 0 || segments.some((part) => /^\.{0,2}$/.test(part))) return undefined;
  const ref = (commit ?? branch).split("/").map(encodePart).join("/");
  const path = segments.map(encodePart).join("/");
  const isLine = line !== undefined && Number.isSafeInteger(line) && line > 0;
  const place = { ref, isCommit: commit !== undefined, path, line: isLine ? line : undefined };
  const base = getBase(repository);
  const url = toUrl(repository, place);
  const isInside = url !== undefined && URL.canParse(url) && new URL(url).href.startsWith(base);
  return isInside ? url : undefined;
}

function toUrl({ kind, url, template }: Repository, place: CodePlace): string | undefined {
  if (kind !== "template") return HOSTS[kind].toUrl(url, place);
  const { ref, path, line } = place;
  return template
    ?.replaceAll("{ref}", () => ref)
    .replaceAll("{path}", () => path)
    .replaceAll("{line}", () => String(line ?? 1));
}

/** What every URL of the repository begins with. */
function getBase({ kind, url, template = "" }: Repository): string {
  const start = kind === "template" ? (template.split("{")[0] ?? "") : url;
  return URL.canParse(start) ? start : "invalid";
}

/** A segment of a path; also encodes what ends a link in Markdown. */
function encodePart(part: string): string {
  return encodeURIComponent(part.replace(/\p{Cs}/gu, "\ufffd")).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// What owners enter.

/** What owners enter about a repository; empty texts are absent. */
export interface EnteredRepository {
  readonly url: string;
  /** By default, the service of the host. */
  readonly kind?: RepositoryKind | undefined;
  readonly branch?: string | undefined;
  readonly folder?: string | undefined;
  readonly prefix?: string | undefined;
  readonly template?: string | undefined;
}

/** The name of an invalid member, and what it should be. */
export interface InvalidRepository {
  readonly reason: "invalid";
  readonly member: keyof EnteredRepository;
  readonly expected: string;
}

/** The repository without its id. */
export function parseRepository(
  entered: EnteredRepository,
): Result<Omit<Repository, "id">, InvalidRepository> {
  const url = parseUrl(entered.url);
  if (url === undefined)
    return failAt("url", "the https URL of a repository, such as https://github.com/acme/shop");
  const kind = entered.kind ?? detectKind(url);
  if (kind === undefined)
    return failAt("kind", "the service of the repository: its host does not tell it");
  const template = entered.template?.trim() || undefined;
  if (kind === "template" && !isTemplate(template, url))
    return failAt(
      "template",
      "a URL on the host of the repository with {path}, and optionally {ref} and {line}",
    );
  const branch = entered.branch?.trim() || undefined;
  if (branch !== undefined && !isBranch(branch)) return failAt("branch", "the name of a branch");
  const folder = trimFolder(entered.folder);
  if (folder !== undefined && !isFolder(folder))
    return failAt("folder", "a folder in the repository, such as apps/web");
  const prefix = entered.prefix?.trim() || undefined;
  if (prefix !== undefined && !isPlainText(prefix, repositoryLimits.maxFolderChars))
    return failAt("prefix", `a prefix of at most ${repositoryLimits.maxFolderChars} characters`);
  return ok({
    kind,
    url,
    ...(branch !== undefined && { branch }),
    ...(folder !== undefined && { folder }),
    ...(prefix !== undefined && { prefix }),
    ...(kind === "template" && { template }),
  });
}

function failAt(member: keyof EnteredRepository, expected: string) {
  return fail({ reason: "invalid", member, expected } as const);
}

/** Also of a remote of git: `git@github.com:acme/shop.git`. */
function parseUrl(entered: string): string | undefined {
  const text = entered.trim();
  const [, sshHost, sshPath] = /^[\w.-]+@([\w.-]+):(?!\/)(.+)$/.exec(text) ?? [];
  const isBare = !text.includes("://") && /^[\w-]+(?:\.[\w-]+)+\//.test(text);
  const written =
    sshHost !== undefined ? `https://${sshHost}/${sshPath}` : isBare ? `https://${text}` : text;
  if (text.length > repositoryLimits.maxUrlChars || !URL.canParse(written)) return undefined;
  const { protocol, host, pathname, username, password, search, hash } = new URL(written);
  const isOwn = Object.values(HOSTS).some(({ own }) => own.test(host));
  const isAllowed = protocol === "https:" || (protocol === "http:" && !isOwn);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  const isPath = /^(?:\/[\w.~$&+,;=:@%-]+)+$/.test(path) && !/%(?:2f|5c)/i.test(path);
  const hasExtras = username !== "" || password !== "" || search !== "" || hash !== "";
  return isAllowed && isPath && !hasExtras ? `${protocol}//${host}${path}` : undefined;
}

function detectKind(url: string): RepositoryKind | undefined {
  const { host } = new URL(url);
  const kinds = Object.entries(HOSTS) as [RepositoryKind, Host][];
  const found =
    kinds.find(([, { own }]) => own.test(host)) ??
    kinds.find(([, { others }]) => others?.test(host));
  return found?.[0];
}

function isTemplate(template: string | undefined, url: string): boolean {
  if (template === undefined || !isPlainText(template, repositoryLimits.maxUrlChars)) return false;
  const [start = "", ...others] = template.split("{");
  const names = others.map((part) => part.split("}")[0]);
  return (
    names.includes("path") &&
    names.every((name) => name === "path" || name === "ref" || name === "line") &&
    URL.canParse(start) &&
    new URL(start).href === start &&
    new URL(start).origin === new URL(url).origin &&
    new URL(start).username === "" &&
    start.length > new URL(start).origin.length
  );
}

/** As `git check-ref-format` has it, without names that could be options. */
function isBranch(name: string): boolean {
  return (
    isPlainText(name, repositoryLimits.maxBranchChars) &&
    /^[^\s~^:?*[\\/.-][^\s~^:?*[\\]*$/.test(name) &&
    !/\.\.|\/\/|\/\.|\.lock(?:\/|$)|[/.]$|@\{/.test(name)
  );
}

function trimFolder(folder = ""): string | undefined {
  return folder.trim().replace(/^\.?\/+|\/+$/g, "") || undefined;
}

function isFolder(folder: string): boolean {
  const parts = folder.split("/");
  return (
    isPlainText(folder, repositoryLimits.maxFolderChars) &&
    !folder.includes("\\") &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** Where a release says that its commits are. */
interface NamedCommit {
  readonly url?: string | undefined;
}

const COMMIT_URL =
  /^(https:\/\/(?:[a-z\d-]+\.)+[a-z]+(?:\/[\w.~-]+){2,8}?)\/(-\/commit|commits?)\/[\da-f]{7,64}$/i;

/**
 * The repository that all commits with a URL name, if its service is certain: that of a known host,
 * or GitLab, whose paths are its own.
 */
export function deriveRepository(commits: readonly NamedCommit[]): Repository | undefined {
  const urls = commits.flatMap(({ url }) => url ?? []);
  const found = new Set(urls.map(readCommitUrl));
  const [only] = found;
  if (only === undefined || found.size !== 1) return undefined;
  const [kind = "", url = ""] = only.split(" ");
  const parsed = parseRepository({ url, kind: kind as RepositoryKind });
  return parsed.ok ? { id: "", ...parsed.value } : undefined;
}

/** `github https://github.com/acme/shop`; undefined if the service is not certain. */
function readCommitUrl(text: string): string | undefined {
  const [, url = "", mark = ""] = COMMIT_URL.exec(text) ?? [];
  if (url === "") return undefined;
  const { host } = new URL(url);
  const own = (Object.entries(HOSTS) as [RepositoryKind, Host][]).find(([, one]) =>
    one.own.test(host),
  );
  const kind = own?.[0] ?? (mark.startsWith("-") ? "gitlab" : undefined);
  return kind === undefined ? undefined : `${kind} ${url}`;
}
