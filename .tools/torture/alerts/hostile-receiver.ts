// A receiver of webhooks that fails by a plan: errors, limits, no response, and connections that
// end after it received the message. Each message succeeds at its third attempt.

import { createServer, type ServerResponse } from "node:http";
import { listen } from "../../local/port.ts";
import { createChance } from "../plan.ts";
import { answerSick } from "./sick-modes.ts";

/** The first arrival of an issue at a destination, and all ids that named it. */
export interface Delivered {
  readonly atMs: number;
  readonly ids: Set<string>;
}

export type HostileReceiver = Awaited<ReturnType<typeof startReceiver>>;

const SHARE_BROKEN = 0.25;
const SHARE_LIMITED = 0.1;
const SHARE_SILENT = 0.05;
const SHARE_CUT = 0.1;
const FAILING_ATTEMPTS = 2;

/** Starts the receiver on a free port. Without a seed it answers every request at once. */
export async function startReceiver(seed?: number) {
  const attempts: Map<string, number> = new Map();
  /**
   * By destination and digest. A message counts when the receiver has read it and responded 200.
   */
  const delivered: Map<string, Delivered> = new Map();
  /** Each message that arrived, once. */
  const messages: { path: string; title: string; digests: string[]; atMs: number }[] = [];
  const figures = { requests: 0, repeats: 0, failed: 0, cut: 0, summaries: 0 };

  function take(path: string, id: string, body: string, response: ServerResponse) {
    figures.requests++;
    const key = `${path} ${id}`;
    const attempt = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, attempt);
    if (attempt > 1) figures.repeats++;
    const chance =
      seed === undefined || attempt > FAILING_ATTEMPTS
        ? 1
        : createChance(seed, `${key} ${attempt}`)();
    const limits = [SHARE_BROKEN, SHARE_LIMITED, SHARE_SILENT, SHARE_CUT];
    const fate = limits.findIndex(
      (_, i) => chance < limits.slice(0, i + 1).reduce((a, b) => a + b),
    );
    if (fate === 0) response.writeHead(500).end("broken");
    if (fate === 1) response.writeHead(429, { "retry-after": "1" }).end("slow down");
    if (fate >= 0 && fate < 3) figures.failed++;
    if (fate >= 0 && fate < 3) return;
    note(path, id, body, attempt);
    if (fate === 3) {
      figures.cut++;
      response.destroy();
    } else response.writeHead(200).end("ok");
  }

  function note(path: string, id: string, body: string, attempt: number) {
    const { data } = JSON.parse(body);
    if (data.summary !== undefined) figures.summaries++;
    const named: readonly { digest: string }[] = data.issues;
    const digests: string[] = data.summary?.digests ?? named.map(({ digest }) => digest);
    if (attempt === 1) {
      const { title } = data;
      messages.push({ path, title, digests, atMs: performance.now() });
    }
    for (const digest of digests) {
      const key = `${path} ${digest}`;
      const known = delivered.get(key) ?? { atMs: performance.now(), ids: new Set() };
      known.ids.add(id);
      delivered.set(key, known);
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (answerSick(request.url ?? "", response)) return;
      const id = String(request.headers["webhook-id"]);
      take(request.url ?? "", id, Buffer.concat(chunks).toString(), response);
    });
  });
  const port = await listen(server, 0, "127.0.0.1");
  return {
    target: `127.0.0.1:${port}`,
    delivered,
    messages,
    figures,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
