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
