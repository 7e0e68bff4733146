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
    quit(error instanceof Error ? error.message : String(error));
  }
}
