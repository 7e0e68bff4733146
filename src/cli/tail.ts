/** `errata tail`: reports as they arrive, as a stream of events, or asked for every two seconds. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, type CommandCall, TRUST } from "./command.ts";
import { type IssueTitle, toTitle } from "./describe-issue.ts";
import { CommandFailure } from "./failure.ts";

const POLL_MS = 2_000;
/** The waits before the program connects again: 1 s, 2 s, 4 s, and so on. */
const RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;
/** Reports that it remembers, so that it prints each once. */
const MAX_SEEN = 1_000;

/** A report of `reports.live`. */
interface LiveReport extends IssueTitle {
  readonly id: string;
  readonly digest: string;
  readonly at: string;
}

export const tail: Command = {
  words: ["tail"],
  usage: "[text]",
  summary: "Print reports as they arrive, until Ctrl-C.",
  options: { once: { type: "boolean" }, ...TRUST.options },
  about: { once: "print the newest reports, and end", ...TRUST.about },
  async run(call) {
    const printer = new Printer(call);
    if (!call.has("once")) await follow(call, printer);
    // Once, or from an earlier Errata, or through a proxy that lets no stream through.
    for (;;) {
      const asked = { text: readText(call), after: printer.lastId };
      const json = await call.perform("reports.live", asked);
      const { reports } = JSON.parse(json) as { readonly reports: readonly LiveReport[] };
      for (const report of reports.toReversed()) printer.print(report);
      if (call.has("once")) return;
      await sleep(POLL_MS);
    }
  },
};

function readText({ args }: CommandCall): string | undefined {
  return args.length > 0 ? args.join(" ") : undefined;
}

/** Prints each report once. */
class Printer {
  readonly #call: CommandCall;
  readonly #seen = new Set<string>();
  /** The id of the newest report. */
  lastId: string | undefined;

  constructor(call: CommandCall) {
    this.#call = call;
  }

  print(report: LiveReport): void {
    this.lastId = report.id;
    if (this.#seen.has(report.id)) return;
    this.#seen.add(report.id);
    for (const id of this.#seen) if (this.#seen.size > MAX_SEEN) this.#seen.delete(id);
    if (this.#call.has("json")) this.#call.printJson(JSON.stringify(report));
    else this.#call.printTable([[report.at, report.digest, toTitle(report)]]);
  }
}

/**
 * Prints the events of streams, and connects again when one ends. Returns if the first one does not
 * begin. Throws if the server refuses it.
 */
async function follow(call: CommandCall, printer: Printer): Promise<void> {
  let isConnected = false;
  for (let failures = 0; ; ) {
    try {
      const events = await call.follow("reports.live", { text: readText(call) }, printer.lastId);
      isConnected = true;
      failures = 0;
      for await (const { data } of events) printer.print(JSON.parse(data) as LiveReport);
      await sleep(RECONNECT_MS);
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.kind !== "failed") throw error;
      if (!isConnected) return;
      if (failures === 0) call.say(`${error.message} Connecting again.`);
      await sleep(Math.min(RECONNECT_MS * 2 ** failures++, MAX_RECONNECT_MS));
    }
  }
}
