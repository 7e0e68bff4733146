/** The commands that are more than one operation, or have a shorter name. */
import { createWriteStream } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { showInJson } from "../core/visible-text.ts";
import { send, toProjectPath } from "./api-client.ts";
import { type Command, type CommandCall, MAX_INPUT_CHARS, TRUST } from "./command.ts";
import {
  describeIssue,
  type IssueDetails,
  type IssueJson,
  readText,
  toRow,
  toTitle,
} from "./describe-issue.ts";
import { CommandFailure } from "./failure.ts";
import { hasCommit, readCodeOwners, readCommits, readHead } from "./git-commits.ts";
import { login, logout } from "./login.ts";
import { lookup } from "./lookup.ts";
import { runBridge } from "./mcp-bridge.ts";
import { openBrowser } from "./open-browser.ts";
import { isUploadToken } from "./settings.ts";
import { tail } from "./tail.ts";
import { tryPolicy } from "./try-policy.ts";
import { uploadMaps } from "./upload-maps.ts";

/** The one argument of a command. Throws what was expected. */
function getArgument({ args }: CommandCall, expected: string): string {
  const [value, ...others] = args;
  if (value === undefined || others.length > 0)
    throw new CommandFailure("usage", `Expected ${expected}.`);
  return value;
}

function toPage(call: CommandCall, path: string): string {
  return `${call.target.url}${toProjectPath(call.target)}${path}`;
}

const issues: Command = {
  words: ["issues"],
  usage: "[query]",
  summary: "List issues: `errata issues 'is:open release:1.4'`.",
  options: { sort: { type: "string" }, from: { type: "string" }, ...TRUST.options },
  about: {
    sort: "last, first, count or users",
    from: "the next page: the value that the page before printed",
    ...TRUST.about,
  },
  async run(call) {
    const json = await call.perform("issues.list", {
      query: call.args.length > 0 ? call.args.join(" ") : undefined,
      sort: call.get("sort"),
      from: call.get("from"),
    });
    if (call.has("json")) return call.printJson(json);
    const page = JSON.parse(json) as {
      readonly issues: readonly IssueJson[];
      readonly total: number;
      readonly next?: string;
    };
    call.printTable(page.issues.map(toRow));
    if (page.next !== undefined)
      call.say(`${page.issues.length} of ${page.total}. The next page: --from=${page.next}`);
  },
};

const show: Command = {
  words: ["show"],
  usage: "<digest>",
  summary: "Show an issue with the stack of its report, suspect commits and proof.",
  ...TRUST,
  async run(call) {
    const digest = getArgument(call, "a digest");
    const json = await call.perform("issues.get", { digest });
    if (call.has("json")) return call.printJson(json);
    const issue = JSON.parse(json) as IssueDetails;
    const url = toPage(call, `/d/${issue.digest}`);
    // Each line may be reported text with line feeds of its own.
    for (const line of describeIssue(issue, url)) call.print(line.replaceAll("\n", "\n  "));
  },
};

/** A command that sets the state of issues. */
function createDecision(
  word: string,
  state: string,
  {
    read,
    ...described
  }: Pick<Command, "summary" | "options" | "about"> & {
    readonly read?: (call: CommandCall) => object;
  },
): Command {
  return {
    words: [word],
    usage: "<digest…>",
    ...described,
    async run(call) {
      if (call.args.length === 0) throw new CommandFailure("usage", "Expected digests.");
      for (const digest of call.args) {
        const json = await call.perform("issues.decide", { digest, state, ...read?.(call) });
        if (call.has("json")) call.printJson(json);
        else {
          const issue = JSON.parse(json) as IssueJson & { readonly change: string };
          call.printTable([[issue.digest, issue.state ?? "", toTitle(issue)]]);
          call.say(`Undo: errata undo ${issue.change}`);
        }
      }
    },
  };
}

function toCount(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Without an option, issues are snoozed until they escalate. */
function createSnooze(word: string): Command {
  const text = { type: "string" } as const;
  return createDecision(word, "snoozed", {
    summary: "Snooze issues until they escalate, or as the options say.",
    options: { for: text, until: text, count: text, users: text, release: { type: "boolean" } },
    about: {
      for: "hours or days: 12h, 7d",
      until: "a time: 2026-12-01T09:00+01:00",
      count: "further reports",
      users: "further users",
      release: "until a later release",
    },
    read: (call) => ({
      duration: call.get("for"),
      until: call.get("until"),
      count: toCount(call.get("count")),
      users: toCount(call.get("users")),
      untilNextRelease: call.has("release") || undefined,
    }),
  });
}

const comment: Command = {
  words: ["comment"],
  usage: "<digest> <text>, or the text on standard input",
  summary: "Comment on an issue.",
  async run(call) {
    const [digest, ...words] = call.args;
    if (digest === undefined) throw new CommandFailure("usage", "Expected a digest and a text.");
    const text = words.length > 0 ? words.join(" ") : await call.readInput(MAX_INPUT_CHARS);
    const json = await call.perform("issues.comment", { digest, comment: text.trim() });
    if (call.has("json")) call.printJson(json);
    else call.printTable([[(JSON.parse(json) as IssueJson).digest, "commented"]]);
  },
};

const undo: Command = {
  words: ["undo"],
  usage: "<change>",
  summary: "Undo a change within an hour. Commands that change print its id.",
  async run(call) {
    const change = getArgument(call, "the id of a change");
    const json = await call.perform("changes.undo", { change });
    const { digests, undone = "" } = JSON.parse(json) as {
      readonly digests: readonly string[];
      readonly undone?: string;
    };
    if (call.has("json")) call.printJson(json);
    else call.printTable(digests.map((digest) => [digest, `${undone} undone`]));
    if (digests.length === 0)
      throw new CommandFailure(
        "not-found",
        "Not undone: the change is too old, or its issues have changed since.",
      );
  },
};

interface ReleasesJson {
  readonly releases: readonly {
    readonly name: unknown;
    readonly firstSeen?: string;
    readonly newIssueCount: number;
    readonly crashFreePercent?: number;
    readonly facts?: FactsJson;
  }[];
  readonly withoutReports?: readonly FactsJson[];
}
interface FactsJson {
  readonly version: string;
  readonly created: string;
  readonly commits: readonly { readonly id: string; readonly at?: string }[];
}

const releases: Command = {
  words: ["releases"],
  usage: "",
  summary: "List releases: name, first seen, new issues, crash-free sessions.",
  ...TRUST,
  async run(call) {
    const json = await call.perform("releases.list");
    if (call.has("json")) return call.printJson(json);
    const all = JSON.parse(json) as ReleasesJson;
    call.printTable([
      ...all.releases.map((one) => [
        readText(one.name as string),
        one.firstSeen ?? "",
        `${one.newIssueCount} new`,
        one.crashFreePercent === undefined ? "" : `${one.crashFreePercent} %`,
      ]),
      ...(all.withoutReports ?? []).map(({ version, created }) => [version, created, "0 new", ""]),
    ]);
  },
};

const release: Command = {
  words: ["release"],
  usage: "[name]",
  summary:
    "Describe a release, by default named by the commit, with CODEOWNERS and its commits from git.",
  options: {
    commits: { type: "boolean" },
    range: { type: "string" },
    deploy: { type: "string" },
    "deploy-url": { type: "string" },
  },
  about: {
    commits: "send the commits since the newest release that Errata knows",
    range: "send the commits of a range of git: v1.4.1..HEAD",
    deploy: "the environment that it is deployed to, now",
    "deploy-url": "a page about the deploy",
  },
  async run(call) {
    const name = call.args.length === 0 ? await readHead() : getArgument(call, "one name");
    const range = call.get("range") ?? (call.has("commits") ? await findRange(call) : undefined);
    const commits = range === undefined ? undefined : await readCommits(range);
    const environment = call.get("deploy");
    const url = call.get("deploy-url");
    const finished = new Date(call.shell.nowMs()).toISOString();
    const codeOwners = await readCodeOwners((text) => call.say(text));
    const json = await call.perform("releases.describe", {
      name,
      commits,
      codeOwners,
      deploy: environment === undefined ? undefined : { environment, finished, url },
    });
    if (call.has("json")) return call.printJson(json);
    const { fixed } = JSON.parse(json) as { readonly fixed: readonly string[] };
    const count = commits?.length ?? 0;
    call.print(`${name}: ${count} ${count === 1 ? "commit" : "commits"}`);
    if (codeOwners !== undefined) call.print(`owners of ${codeOwners.path}`);
    for (const digest of fixed) call.print(`${digest} resolved`);
  },
};

/**
 * The commits since the newest release that Errata has commits of, as far as git knows it. An
 * upload token reads no releases: then the newest commits, of which each counts once.
 */
async function findRange(call: CommandCall): Promise<string> {
  if (isUploadToken(call.target)) return "HEAD";
  const json = await call.perform("releases.list");
  const { releases: seen, withoutReports = [] } = JSON.parse(json) as ReleasesJson;
  const facts = [...seen.flatMap((one) => one.facts ?? []), ...withoutReports]
    .toSorted((a, b) => (a.created < b.created ? 1 : -1))
    .slice(0, 20);
  for (const { commits } of facts) {
    const [newest] = commits.toSorted((a, b) => (b.at ?? "").localeCompare(a.at ?? ""));
    if (newest !== undefined && (await hasCommit(newest.id))) return `${newest.id}..HEAD`;
  }
  return "HEAD";
}

const upload: Command = {
  words: ["sourcemaps", "upload"],
  usage: "<folder>",
  summary: "Upload the scripts and source maps of a build.",
  options: {
    release: { type: "string" },
    dist: { type: "string" },
    "url-prefix": { type: "string" },
  },
  about: {
    release: "the release of the reports, if the scripts have no debug ids",
    dist: "the variant of the release, as the reports name it",
    "url-prefix": "the address of the folder: ~/assets",
  },
  async run(call) {
    const { json, files } = await uploadMaps(call.target, {
      folder: getArgument(call, "a folder"),
      release: call.get("release"),
      dist: call.get("dist"),
      url: call.get("url-prefix"),
      onWait: call.onWait,
    });
    if (call.has("json")) call.printJson(json);
    else
      call.printTable(
        files.map(({ kind, url = "", problems = [] }) => [kind, url, problems.join("; ") || "ok"]),
      );
    if (files.some(({ problems = [] }) => problems.length > 0))
      throw new CommandFailure("failed", "Some files have problems.");
  },
};

const exportProject: Command = {
  words: ["export"],
  usage: "[file]",
  summary: "Export a project as newline-delimited JSON. Owners only.",
  options: { day: { type: "string" } },
  about: { day: "only one day: 2026-11-21" },
  async run(call) {
    const day = call.get("day");
    const path = day === undefined ? "/export" : `/export?day=${encodeURIComponent(day)}`;
    const response = await send(call.target, path, { isLong: true, onWait: call.onWait });
    if (response.body === null) throw new CommandFailure("failed", "The server sent nothing.");
    const [file] = call.args;
    const isShown = file === undefined && call.shell.stdout.isTTY;
    let lastLine = "";
    const watched = async function* (source: AsyncIterable<Uint8Array>) {
      const decoder = new TextDecoder();
      for await (const chunk of source) {
        const text = decoder.decode(chunk, { stream: true });
        lastLine = (lastLine + text).slice(-4_096);
        yield isShown ? showInJson(text) : chunk;
      }
    };
    const output = file === undefined ? call.shell.stdout : createWriteStream(file);
    await pipeline(Readable.fromWeb(response.body as never), watched, output, {
      end: file !== undefined,
    });
    const [end = ""] = lastLine.trimEnd().split("\n").slice(-1);
    if (end.startsWith('{"end"')) return;
    const hint = end.startsWith('{"next"')
      ? " See “Very large projects” in the documentation."
      : "";
    throw new CommandFailure("failed", `The export is not complete.${hint}`);
  },
};

const importProject: Command = {
  words: ["import"],
  usage: "[file], or standard input",
  summary: "Import an export. Owners only.",
  options: { own: { type: "boolean" } },
  about: { own: "even an export of this project: its sessions and outcomes then count twice" },
  async run(call) {
    const [file] = call.args;
    const source =
      file === undefined ? call.shell.stdin : (await openFile(file)).createReadStream();
    const response = await send(call.target, call.has("own") ? "/import?own=1" : "/import", {
      method: "POST",
      body: Readable.toWeb(source) as unknown as ReadableStream,
      headers: { "Content-Type": "application/x-ndjson" },
      isLong: true,
      onWait: call.onWait,
    });
    call.printJson(await response.text());
  },
};

const mcp: Command = {
  words: ["mcp"],
  usage: "",
  summary: "Serve MCP on standard input and output, for clients that cannot send a header.",
  run: (call) => runBridge(call.target, call.shell.stdin, (line) => call.shell.stdout.write(line)),
};

const signIn: Command = {
  words: ["login"],
  usage: "<url>",
  summary: "Sign in to an Errata in the browser, and save its token.",
  options: {
    as: { type: "string" },
    "with-token": { type: "boolean" },
    "no-browser": { type: "boolean" },
  },
  about: {
    as: "the name for --at; by default the host. The newest login is the default",
    "with-token": "read an API token from standard input, without showing it",
    "no-browser": "print the address, and do not open it",
  },
  async run(call) {
    const line = await login({
      url: getArgument(call, "the URL of Errata"),
      project: call.get("project"),
      name: call.get("as"),
      hasToken: call.has("with-token"),
      opensBrowser: call.shell.stderr.isTTY && !call.has("no-browser"),
      shell: call.shell,
      onWait: call.onWait,
      say: (text) => call.say(text),
    });
    call.say(line);
  },
};

const signOut: Command = {
  words: ["logout"],
  usage: "[name]",
  summary: "Forget a saved Errata and its token.",
  async run(call) {
    call.say(await logout(call.args[0] ?? call.get("at"), call.shell.env));
  },
};

const open: Command = {
  words: ["open"],
  usage: "[digest]",
  summary: "Open an issue, or the desk, in the browser.",
  async run(call) {
    const [digest] = call.args;
    const url = toPage(call, digest === undefined ? "/" : `/d/${encodeURIComponent(digest)}`);
    call.print(url);
    openBrowser(url);
  },
};

const api: Command = {
  words: ["api"],
  usage: "<method> <path> [JSON body]",
  summary: "Call /api/v1 directly: `errata api GET /issues?query=is:open`.",
  async run(call) {
    const [method, path, text] = call.args;
    if (method === undefined || path === undefined || !path.startsWith("/"))
      throw new CommandFailure("usage", "Expected a method, and a path that begins with /.");
    let body: Record<string, unknown> | undefined;
    try {
      body = text === undefined ? undefined : JSON.parse(text);
    } catch {
      throw new CommandFailure("usage", "Expected JSON as the body.");
    }
    const request = { method: method.toUpperCase(), path, ...(body !== undefined && { body }) };
    call.printJson(await call.call(request));
  },
};

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  lookup,
  issues,
  show,
  createDecision("resolve", "resolved", {
    summary: "Resolve issues, now, --in a release, or in the --next one.",
    options: { in: { type: "string" }, next: { type: "boolean" } },
    about: { in: "the release with the fix", next: "in the next release" },
    read: (call) => ({ release: call.get("in"), inNextRelease: call.has("next") || undefined }),
  }),
  createDecision("reopen", "open", { summary: "Reopen issues." }),
  createSnooze("snooze"),
  createDecision("archive", "archived", { summary: "Archive issues: they stay hidden." }),
  createDecision("ignore", "ignored", {
    summary: "The former name of snooze; without an option, of archive.",
    options: { for: { type: "string" }, count: { type: "string" } },
    about: { for: "hours or days: 12h, 7d", count: "further reports" },
    read: (call) => ({ duration: call.get("for"), count: toCount(call.get("count")) }),
  }),
  createDecision("mute", "muted", { summary: "The former name of archive." }),
  comment,
  undo,
  releases,
  release,
  tail,
  tryPolicy,
  upload,
  exportProject,
  importProject,
  open,
  mcp,
  signIn,
  signOut,
  api,
];
