/** The command `errata`: finds the command, parses its options, and turns failures into exit codes. */
import { parseArgs } from "node:util";
import { showInvisible } from "../core/visible-text.ts";
import { type Command, CommandCall, type Options, type Shell, type Values } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { createCompletion } from "./completion.ts";
import { CommandFailure, EXIT_CODES } from "./failure.ts";
import { createOperationCommands } from "./operation-commands.ts";
import { OPERATIONS } from "./operation-table.ts";

/** The options of all commands. */
const SHARED: Options = {
  at: { type: "string" },
  url: { type: "string" },
  project: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

const OPERATION_COMMANDS = createOperationCommands(OPERATIONS);

const completion: Command = {
  words: ["completion"],
  usage: "bash | zsh | fish",
  summary: "Print the script that completes words in bash, zsh or fish.",
  async run({ args: [shell = ""], shell: { stdout } }) {
    const shared = Object.keys(SHARED);
    const completed = ALL.map(({ words, options = {} }) => ({
      words,
      options: [...shared, ...Object.keys(options)],
    }));
    stdout.write(createCompletion(shell, completed));
  },
};

const NAMED: readonly Command[] = [...COMMANDS, completion];
/** Both kinds. A short name comes first. */
const ALL: readonly Command[] = [...NAMED, ...OPERATION_COMMANDS];

const INTRO = `Look up issues of Errata, set their state and describe releases, from a terminal.
Begin with: errata login https://errata.example

Usage: errata <command> [options]
`;

const OUTRO = `
Options of all commands:
  --at <name>        an Errata that \`errata login\` has saved
  --url <url>        the address of an Errata, or ERRATA_URL
  --project <id>     or ERRATA_PROJECT; by default that of the login, or 1
  --json             the answer of /api/v1, unchanged
  -h, --help         the help of a command

The token is read from ERRATA_TOKEN, or from what \`errata login\` has saved.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 not signed in or not allowed,
5 a policy blocks resources of the site.
`;

/** Runs the command. Resolves to its exit code. Never rejects. */
async function main(words: readonly string[], shell: Shell): Promise<number> {
  try {
    await runCommand(words, shell);
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof CommandFailure) {
      sayFailure(shell, error.message);
      return EXIT_CODES[error.kind];
    }
    if (isBrokenPipe(error)) return EXIT_CODES.done;
    sayFailure(shell, error instanceof Error ? error.message : String(error));
    return EXIT_CODES.failed;
  }
}

/** Servers and git may quote text of strangers. */
function sayFailure({ stderr: errors }: Shell, message: string): void {
  errors.write(`errata: ${showInvisible(message)}\n`);
}

/** Options of all commands may precede the command: `errata --at work issues`. */
function moveOptions(words: readonly string[]): readonly string[] {
  let count = 0;
  for (;;) {
    const [, name = "", sign] = /^--([a-z]+)(=?)/.exec(words[count] ?? "") ?? [];
    const option = Object.hasOwn(SHARED, name) ? SHARED[name] : undefined;
    if (option === undefined) break;
    count += option.type === "string" && sign === "" ? 2 : 1;
  }
  return [...words.slice(count), ...words.slice(0, count)];
}

async function runCommand(words: readonly string[], shell: Shell): Promise<void> {
  const [first = "--help", second] = words;
  if (first === "--version" || first === "version") {
    shell.stdout.write(`${ERRATA_CLI_VERSION}\n`);
    return;
  }
  if (first === "--help" || first === "-h" || (first === "help" && second === undefined)) {
    shell.stdout.write(INTRO + listCommands() + OUTRO);
    return;
  }
  const named = first === "help" ? words.slice(1) : moveOptions(words);
  const command = findCommand(named);
  if (command === undefined)
    throw new CommandFailure("usage", "There is no such command. See `errata --help`.");
  const { positionals, values } = parse(command, named.slice(command.words.length));
  if (values.help === true || first === "help") {
    shell.stdout.write(createHelp(command));
    return;
  }
  await command.run(new CommandCall(shell, positionals, values));
}

/** The command with most words at the beginning: `issues decide` before `issues`. */
function findCommand(words: readonly string[]): Command | undefined {
  return ALL.filter((command) => command.words.every((word, at) => words[at] === word)).toSorted(
    (a, b) => b.words.length - a.words.length,
  )[0];
}

function parse(
  { options = {} }: Command,
  args: readonly string[],
): { readonly positionals: readonly string[]; readonly values: Values } {
  try {
    return parseArgs({
      args: [...args],
      options: { ...SHARED, ...options },
      allowPositionals: true,
    }) as { positionals: string[]; values: Values };
  } catch (error) {
    const [sentence = ""] = error instanceof Error ? error.message.split(". ") : [];
    throw new CommandFailure("usage", `${sentence.replace(/\.$/, "")}. See --help.`);
  }
}

function listCommands(): string {
  const rows = NAMED.map(({ words, summary }) => [words.join(" "), summary] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  const operations = OPERATION_COMMANDS.map(({ words }) => `  ${words.join(" ")}\n`);
  return [
    ...rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}\n`),
    "\nEach operation of the API:\n",
    ...operations,
  ].join("");
}

function createHelp({ words, usage, summary, options = {}, about = {} }: Command): string {
  const names = Object.entries(options).map(
    ([name, { type }]) => [name, `--${name}${type === "string" ? " <value>" : ""}`] as const,
  );
  const width = Math.max(0, ...names.map(([, shown]) => shown.length));
  const lines = names.map(
    ([name, shown]) => `  ${`${shown.padEnd(width)}  ${about[name] ?? ""}`.trimEnd()}\n`,
  );
  return [
    `${summary}\n\nUsage: errata ${words.join(" ")} ${usage}\n`,
    ...(lines.length > 0 ? ["\nOptions:\n", ...lines] : []),
    OUTRO,
  ].join("");
}

/** True if the reader of standard output has ended, as `head` does. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

const { env, stdin, stdout, stderr } = process;
stdout.on("error", (error: unknown) => {
  if (isBrokenPipe(error)) process.exit(EXIT_CODES.done);
  throw error;
});
process.exitCode = await main(process.argv.slice(2), {
  ...{ env, stdin, stdout, stderr },
  nowMs: Date.now,
});
// A terminal that was read keeps the process alive.
stdin.unref?.();
