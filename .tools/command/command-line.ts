// The command line and the terminal of a tool.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** Ends the process with a sentence for the user and exit code 1. */
export function quit(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Decodes the command line; ends the process if `decode` throws a sentence for the user. */
export function readOptions<T>(decode: (args: string[]) => T): T {
  try {
    return decode(process.argv.slice(2));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    quit(`${message}\nThe option --help shows how the command is used.`);
  }
}

/** The values of these options on the command line; ends the process if there are others. */
export function parseOptions<const T extends NonNullable<ParseArgsConfig["options"]>>(options: T) {
  return readOptions((args) => parseArgs({ args, options }).values);
}

/** The words on the command line; ends the process if there are options. */
export function parseWords(): readonly string[] {
  return readOptions((args) => parseArgs({ args, allowPositionals: true }).positionals);
}

/** Whole numbers from 0 on the command line, by their names and defaults. */
export function toWholeNumbers<K extends string>(values: Readonly<Record<K, string>>) {
  for (const [name, text] of Object.entries(values)) {
    if (!/^\d+$/.test(String(text))) quit(`--${name} must be a whole number.`);
  }
  const numbers = Object.entries(values).map(([name, text]) => [name, Number(text)]);
  return Object.fromEntries(numbers) as Record<K, number>;
}

/** Shows the current step on stderr, in one line that the next step replaces; "" clears it. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (text) process.stderr.write(`${text}\n`);
}

/** Creates a folder that is removed when this process ends. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "errata-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The signals that end a command. */
export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends this process on a signal, with its listeners of `exit`, which end the processes that it
 * started. Without listeners of the signals, Node would not call them.
 */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.off(signal, exit).on(signal, exit);
}

function exit() {
  process.exit(1);
}
