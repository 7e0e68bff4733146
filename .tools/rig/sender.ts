// The load: autocannon in a separate process, whose CPU time is not counted. Each connection sends
// its next request after the response to the last one. A run ends after a fixed number of requests:
// a time limit would cut off requests that the Worker may store without an acknowledgement.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import { computeQuantile } from "../command/statistics.ts";
import { parseOutcomes } from "../reports/outcomes.ts";
import { type Ask, createRequest } from "./requests.ts";

interface Order {
  port: number;
  ask: Ask;
  connections: number;
  /** The number of requests. */
  amount: number;
  /** The time after which the run is ended early. */
  maxSeconds: number;
  /** The number of the first body. */
  firstN: number;
}

export interface Sent {
  /** Requests with the expected answer. */
  answered: number;
  failed: number;
  /** How often each failure occurred: the status of the response, or "no answer". */
  failures: [why: string, count: number][];
  /** The time until the last response. */
  tookMs: number;
  nextN: number;
  p50Ms: number;
  p99Ms: number;
  /** The number of acknowledged reports of each digest. */
  digests: [digest: string, count: number][];
  /** A sample of the acknowledged ids. */
  ids: string[];
}

export interface Sender {
  send(order: Order): Promise<Sent>;
  stop(): void;
}

const SAMPLE = 200;
const ANSWER_TIMEOUT_SECONDS = 30;
/** How often autocannon checks whether it is done. */
const CHECK_MS = 50;

/** Starts the process that sends requests. */
export function startSender(): Sender {
  const child: ChildProcess = fork(import.meta.filename);
  const ended = once(child, "exit").then(() => {
    throw new Error("The process that sends has ended.");
  });
  // Between two orders, nothing awaits this promise.
  ended.catch(() => undefined);
  return {
    async send(order) {
      child.send(order);
      const [sent] = (await Promise.race([once(child, "message"), ended])) as [Sent];
      return sent;
    },
    stop: () => void child.kill(),
  };
}

if (process.argv[1] === import.meta.filename) {
  process.on("message", (order) => {
    void send(order as Order).then((sent) => process.send?.(sent));
  });
}

async function send({ port, ask, connections, amount, maxSeconds, firstN }: Order): Promise<Sent> {
  const { body, ...request } = createRequest(ask);
  const digests = new Map<string, number>();
  const failures = new Map<string, number>();
  const ids: string[] = [];
  const times: number[] = [];
  let answered = 0;
  let tookMs = 0;
  let n = firstN;
  const add = (map: Map<string, number>, name: string, count = 1) =>
    map.set(name, (map.get(name) ?? 0) + count);

  type Context = { id?: string };
  type Headers = Record<string, string | undefined>;
  const onResponse = (status: number, _text: string, context: Context, headers: Headers) => {
    if (!isExpected(ask, status)) return void add(failures, String(status));
    answered++;
    if (context.id) ids.push(context.id);
    for (const { digest } of parseOutcomes(headers["Errata-Outcome"] ?? "")) {
      if (digest) add(digests, digest);
    }
  };
  const setupRequest = (unsent: autocannon.Request, context: Context) => {
    if (body === undefined) return unsent;
    const next = body(n++);
    context.id = next.id;
    return { ...unsent, body: next.body };
  };
  const beganMs = performance.now();
  await new Promise<void>((resolve, reject) => {
    const options = {
      url: `http://127.0.0.1:${port}`,
      requests: [{ ...request, setupRequest, onResponse } as autocannon.Request],
      connections,
      maxOverallRequests: amount,
      duration: maxSeconds,
      timeout: ANSWER_TIMEOUT_SECONDS,
      sampleInt: CHECK_MS,
    };
    const run = autocannon(options, (error) => (error ? reject(error) : resolve()));
    run.on("response", (_client, _status, _bytes, ms) => {
      times.push(ms);
      tookMs = performance.now() - beganMs;
    });
  });
  if (amount > times.length) add(failures, "no answer", amount - times.length);
  return {
    answered,
    failed: amount - answered,
    failures: [...failures],
    tookMs,
    nextN: n,
    p50Ms: computeQuantile(times, 0.5),
    p99Ms: computeQuantile(times, 0.99),
    digests: [...digests],
    ids: ids.filter((_, i) => i % Math.ceil(ids.length / SAMPLE) === 0),
  };
}

/** Browser reports get a 204. */
function isExpected(ask: Ask, status: number): boolean {
  return ask.kind === "page" ? status === (ask.status ?? 200) : status === 200 || status === 204;
}
