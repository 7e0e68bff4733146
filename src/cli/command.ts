/** What a command is, and what it gets. */
import type { ParseArgsConfig } from "node:util";
import { showInJson, showInLine, showInvisible } from "../core/visible-text.ts";
import { callApi } from "./api-client.ts";
import { followApi, type StreamedEvent } from "./event-stream.ts";
import { type ApiRequest, createNamedRequest } from "./operation-table.ts";
import { findTarget, type Target } from "./settings.ts";
import { formatTable } from "./terminal-text.ts";
import { createRenewal } from "./token-renewal.ts";

/** The options of a command, as `node:util` parses them. */
export type Options = NonNullable<ParseArgsConfig["options"]>;
/** The values of options. */
export type Values = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

export interface Command {
  /** `["sourcemaps", "upload"]` */
  readonly words: readonly string[];
  /** The arguments after the words: `<digest…>`. */
  readonly usage: string;
  readonly summary: string;
  /** Besides those that all commands have. */
  readonly options?: Options;
  /** What options are, where their names do not say it. */
  readonly about?: Readonly<Record<string, string>>;
  /** Throws `CommandFailure`. */
  readonly run: (call: CommandCall) => Promise<void>;
}

/** The option of the commands that read reported text. */
export const TRUST = {
  options: { trust: { type: "string" } },
  about: { trust: "the lowest trust of reported text to read: server, page or public" },
} as const satisfies Pick<Command, "options" | "about">;

/** The process around a command. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly nowMs: () => number;
}

/** The greatest length of a text that a command reads from standard input. */
export const MAX_INPUT_CHARS = 8_000;

/** The columns of a terminal that does not say how many it has. */
const COLUMNS = 80;

/** One call of a command. */
export class CommandCall {
  readonly shell: Shell;
  readonly args: readonly string[];
  readonly #values: Values;
  #target: Target | undefined;

  constructor(shell: Shell, args: readonly string[], values: Values) {
    this.shell = shell;
    this.args = args;
    this.#values = values;
  }

  /** The value of an option with a value. */
  get(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** True if an option without a value was given. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The Errata to call. Throws without one. */
  get target(): Target {
    const options = { at: this.get("at"), url: this.get("url"), project: this.get("project") };
    this.#target ??= findTarget(options, this.shell.env, (name) => createRenewal(name, this.shell));
    return this.#target;
  }

  get #columns(): number | undefined {
    const { stdout, env } = this.shell;
    if (!stdout.isTTY) return undefined;
    return Number(env.COLUMNS) || stdout.columns || COLUMNS;
  }

  /** Lines on standard output. */
  print(...lines: readonly string[]): void {
    for (const line of lines) this.shell.stdout.write(`${showInvisible(line)}\n`);
  }

  printTable(rows: readonly (readonly string[])[]): void {
    this.shell.stdout.write(formatTable(rows, { columns: this.#columns }));
  }

  /** The body of an answer: unchanged in a pipe and with `--json`, in lines on a terminal. */
  printJson(json: string): void {
    const isTerminal = this.#columns !== undefined;
    const text = isTerminal && !this.has("json") ? JSON.stringify(JSON.parse(json), null, 2) : json;
    this.shell.stdout.write(`${isTerminal ? showInJson(text) : text}\n`);
  }

  /** A line on standard error, for people. */
  say(line: string): void {
    this.shell.stderr.write(`${showInLine(line)}\n`);
  }

  readonly onWait = (seconds: number): void => {
    this.say(`The server is busy. Trying again in ${seconds} s.`);
  };

  /** The answer of the operation with this name: `issues.get`. */
  perform(name: string, input?: Readonly<Record<string, unknown>>): Promise<string> {
    return this.call(createNamedRequest(name, input));
  }

  /** The answer of an operation, as it was sent. */
  call(request: ApiRequest): Promise<string> {
    return callApi(this.target, this.#withTrust(request), this.onWait);
  }

  /** The events of an operation that can be followed, after the one with the id `lastId`. */
  follow(
    name: string,
    input: Readonly<Record<string, unknown>>,
    lastId: string | undefined,
  ): Promise<AsyncIterable<StreamedEvent>> {
    const request = this.#withTrust(createNamedRequest(name, input));
    return followApi(this.target, request.path, { lastId, onWait: this.onWait });
  }

  /** Commands with text of reports have the option `--trust`. */
  #withTrust(request: ApiRequest): ApiRequest {
    const trust = this.get("trust");
    if (trust === undefined) return request;
    const sign = request.path.includes("?") ? "&" : "?";
    return { ...request, path: `${request.path}${sign}trust=${encodeURIComponent(trust)}` };
  }

  /** The text of standard input, at most `maxChars`. */
  async readInput(maxChars: number): Promise<string> {
    let text = "";
    this.shell.stdin.setEncoding("utf8");
    for await (const chunk of this.shell.stdin) {
      text += chunk;
      if (text.length >= maxChars) break;
    }
    return text.slice(0, maxChars);
  }
}
