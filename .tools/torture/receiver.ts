// A receiver of webhooks that fails by a plan: errors, limits, no response, and connections that
// end after it received the message. Each message succeeds at its third attempt. Some paths are of
// sick receivers, which never accept a message properly.

import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../local/port.ts";
import { createChance } from "./plan.ts";

/** The first arrival of an issue at a destination, and all ids that named it. */
interface Delivered {
  atMs: number;
  ids: Set<string>;
}

/** An attempt has the first fate above its chance. */
const FATES = [
  ["broken", 0.25],
  ["limited", 0.35],
  ["silent", 0.4],
  ["cut", 0.5],
] as const;
const FAILING_ATTEMPTS = 2;

/** Starts the receiver on a free port. Without a seed it answers every request at once. */
export async function startReceiver(seed?: number) {
  const attempts = new Map<string, number>();
  /**
   * By destination and digest. A message counts when the receiver has read it and responded 200.
   */
  const delivered = new Map<string, Delivered>();
  /** Each message that arrived, once. */
  const messages: { path: string; title: string; digests: string[]; atMs: number }[] = [];
  const figures = { requests: 0, repeats: 0, failed: 0, cut: 0, summaries: 0 };

  function take(path: string, id: string, body: string, response: ServerResponse) {
    figures.requests++;
    const key = `${path} ${id}`;
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    if (attempt > 1) figures.repeats++;
    const isSafe = seed === undefined || attempt > FAILING_ATTEMPTS;
    const chance = isSafe ? 1 : createChance(seed, `${key} ${attempt}`)();
    const fate = FATES.find(([, below]) => chance < below)?.[0];
    if (fate !== undefined && fate !== "cut") {
      figures.failed++;
      if (fate === "broken") response.writeHead(500).end("broken");
      if (fate === "limited") response.writeHead(429, { "retry-after": "1" }).end("slow down");
      return;
    }
    note(path, id, body, attempt);
    if (fate === undefined) return response.writeHead(200).end("ok");
    figures.cut++;
    response.destroy();
  }

  function note(path: string, id: string, body: string, attempt: number) {
    const { data } = JSON.parse(body);
    if (data.summary !== undefined) figures.summaries++;
    const named: readonly { digest: string }[] = data.issues;
    const digests: string[] = data.summary?.digests ?? named.map(({ digest }) => digest);
    const atMs = performance.now();
    if (attempt === 1) messages.push({ path, title: data.title, digests, atMs });
    for (const digest of digests) {
      const key = `${path} ${digest}`;
      const known = delivered.get(key) ?? { atMs, ids: new Set() };
      known.ids.add(id);
      delivered.set(key, known);
    }
  }

  const server = createServer(async (request, response) => {
    const { url = "", headers } = request;
    const body = await text(request).catch(() => undefined);
    if (body === undefined || answerSick(url, response)) return;
    take(url, String(headers["webhook-id"]), body, response);
  });
  const port = await listen(server, 0, "127.0.0.1");
  return {
    target: `127.0.0.1:${port}`,
    ...{ delivered, messages, figures },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const CHUNK = Buffer.alloc(64 * 1024, "x");
const LARGE_CHUNKS = 1_600;

/** The handlers of the faulty receivers. Each delays the sender of a request in one way. */
const SICK_MODES: readonly ((response: ServerResponse) => void)[] = [
  // Never answers.
  () => undefined,
  // Sends the status and never the body.
  (response) => response.writeHead(200).flushHeaders(),
  // One byte a second, a body that never ends, a large one.
  (response) => repeat(response.writeHead(200), 1_000, () => response.write("x")),
  (response) => repeat(response.writeHead(200), 1, () => response.write(CHUNK)),
  (response) => {
    let chunks = 0;
    const write = () => {
      while (++chunks < LARGE_CHUNKS) if (!response.write(CHUNK)) return;
      response.end();
    };
    response.writeHead(200).on("drain", write);
    write();
  },
  // The status of an error, and never the body.
  (response) => response.writeHead(500).flushHeaders(),
  (response) => response.writeHead(429, { "retry-after": "999999999999" }).end(),
  (response) => response.writeHead(302, { location: "/sick-0" }).end(),
  (response) => response.destroy(),
  // Not HTTP.
  (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
];

/** The path of the sick receiver with this number; all never answer if `isHanging`. */
export function toSickPath(n: number, isHanging: boolean): string {
  return `/sick-${isHanging ? 0 : n % SICK_MODES.length}-${n}`;
}

/** Answers as the receiver of a path does; false if the path is not that of a sick one. */
function answerSick(path: string, response: ServerResponse): boolean {
  const [, mode] = /^\/sick-(\d+)-/.exec(path) ?? [];
  if (mode === undefined) return false;
  response.on("error", () => undefined);
  SICK_MODES[Number(mode)]?.(response);
  return true;
}

function repeat(response: ServerResponse, everyMs: number, write: () => void): void {
  const timer = setInterval(write, everyMs);
  response.on("close", () => clearInterval(timer));
}
