// Sends the same request to the same Worker, run after run. Body numbers continue, and the pace so
// far gives the number of requests for a given time.

import type { Ask } from "../rig/requests.ts";
import type { Sender, Sent } from "../rig/sender.ts";

/** A run that takes this many times its planned time is ended early. */
const MAX_OVERRUN = 4;
const MIN_TIMEOUT_SECONDS = 60;

export type Player = ReturnType<typeof createPlayer>;

/** `runs` are the results of all runs so far. */
export function createPlayer(sender: Sender, port: number, ask: Ask) {
  const perMs = new Map<number, number>();
  const runs: Sent[] = [];
  let firstN = 0;

  /** The number of requests that take `ms`. */
  const computeAmount = (connections: number, ms: number) => (perMs.get(connections) ?? 0) * ms;

  /** Sends about `wanted` requests, which should take `ms`. */
  async function play(connections: number, ms: number, wanted: number) {
    // Each connection sends the same number.
    const amount = Math.max(1, Math.round(wanted / connections)) * connections;
    const maxSeconds = Math.max(MIN_TIMEOUT_SECONDS, (MAX_OVERRUN * ms) / 1000);
    const sent = await sender.send({ port, ask, connections, amount, maxSeconds, firstN });
    firstN = sent.nextN;
    // The best pace counts: a short run mostly waits for its last responses, and the first ones run
    // uncompiled code.
    const pace = sent.answered / Math.max(1, sent.tookMs);
    perMs.set(connections, Math.max(pace, perMs.get(connections) ?? 0));
    runs.push(sent);
    return sent;
  }

  /** Sends increasing numbers of requests for `ms`. Afterwards the pace is known. */
  async function warmUp(connections: number, ms: number) {
    const untilMs = performance.now() + ms;
    let wanted = connections;
    for (let leftMs = ms; leftMs > 0; leftMs = untilMs - performance.now()) {
      await play(connections, leftMs, wanted);
      wanted = Math.min(2 * wanted, computeAmount(connections, untilMs - performance.now()));
    }
  }

  return { ask, runs, warmUp, computeAmount, play };
}
