// Plays the same asks to the same Worker, run after run: the numbers of bodies go on, and the pace so far says how many requests
// fill a time.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A run that takes so many times as long as planned is broken off. */
const PATIENCE = 4;
const MIN_PATIENCE_SECONDS = 60;

/** @typedef {import("./load.mjs").Sent} Sent */
/** @typedef {ReturnType<typeof startSender>} Sender */
/** @typedef {ReturnType<typeof createPlayer>} Player */

/** Starts the process that sends. */
export function startSender() {
  const child = fork(fileURLToPath(new URL("load.mjs", import.meta.url)));
  const ended = once(child, "exit").then(() => {
    throw new Error("The process that sends has ended.");
  });
  // Without an order nobody waits for its end.
  ended.catch(() => undefined);
  return {
    /** @param {import("./load.mjs").Order} order @returns {Promise<Sent>} */
    async send(order) {
      child.send(order);
      const [sent] = await Promise.race([once(child, "message"), ended]);
      return sent;
    },
    stop() {
      child.kill();
    },
  };
}

/**
 * @param {Sender} sender
 * @param {number} port
 * @param {readonly import("./asks.mjs").Ask[]} asks
 */
export function createPlayer(sender, port, asks) {
  /** @type {Map<number, number>} */
  const perMs = new Map();
  /** @type {Sent[]} */
  const sents = [];
  let firstN = 0;

  /** @param {number} connections @param {number} ms @param {number} wanted */
  async function send(connections, ms, wanted) {
    // Every connection asks everything equally often.
    const step = connections * asks.length;
    const amount = Math.max(1, Math.round(wanted / step)) * step;
    const maxSeconds = Math.max(MIN_PATIENCE_SECONDS, (PATIENCE * ms) / 1000);
    const order = { port, asks, connections, amount, maxSeconds, firstN };
    const sent = await sender.send(order);
    firstN = sent.nextN;
    // The best so far: a short run is mostly the wait for its last answers, and the first ones meet code that is not compiled.
    const pace = sent.answered / Math.max(1, sent.tookMs);
    perMs.set(connections, Math.max(pace, perMs.get(connections) ?? 0));
    sents.push(sent);
    return sent;
  }

  /** As many requests as take so long. @param {number} connections @param {number} ms */
  function amountFor(connections, ms) {
    return (perMs.get(connections) ?? 0) * ms;
  }

  return {
    asks,

    /** Everything that was sent. @type {readonly Sent[]} */
    sents,

    /** Sends more and more for so long; then the pace is known. @param {number} connections @param {number} ms */
    async warmUp(connections, ms) {
      const untilMs = performance.now() + ms;
      let wanted = connections * asks.length;
      for (let leftMs = ms; leftMs > 0; leftMs = untilMs - performance.now()) {
        await send(connections, leftMs, wanted);
        wanted = Math.min(2 * wanted, amountFor(connections, untilMs - performance.now()));
      }
    },

    amountFor,

    /** Sends so many, which should take so long. @param {number} connections @param {number} ms @param {number} amount */
    play: (connections, ms, amount) => send(connections, ms, amount),
  };
}
