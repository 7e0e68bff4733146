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
