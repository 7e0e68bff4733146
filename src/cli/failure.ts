/** Why a command ends without its result, and the exit code that says so to scripts. */

/** 130, for a command that was interrupted, is the shell's. */
export const EXIT_CODES = {
  done: 0,
  /** The server or the network failed. */
  failed: 1,
  usage: 2,
  "not-found": 3,
  /** Not signed in, or not allowed. */
  denied: 4,
  /** A policy would block something of the site itself. */
  blocked: 5,
} as const;

/** Ends a command. `message` is a sentence for standard error. */
export class CommandFailure extends Error {
  readonly kind: Exclude<keyof typeof EXIT_CODES, "done">;

  constructor(kind: CommandFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
