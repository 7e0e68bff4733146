// An HTTP client that keeps connections, has a timeout, and can disconnect before the response.

import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { parseOutcomes } from "../reports/outcomes.ts";

const PATIENCE_MS = 15_000;

export type Outcome = ReturnType<typeof parseOutcomes>[number];

/** `status` is 0 without a response. */
type Answer = { status: number; outcomes: readonly Outcome[] };

interface Exchange {
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  /** Disconnects this long after the body was sent, unless the response came first. */
  leaveAfterMs?: number | undefined;
}

export type Client = ReturnType<typeof createClient>;

/** A client of the port that `getPort` returns for each request. `key` is an ingest key. */
export function createClient(getPort: () => number, key?: string) {
  const path = key === undefined ? "/monitoring" : `/monitoring?sentry_key=${key}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /**
   * Sends a body to the path for reports. With `leaveAfterMs` it disconnects this long after the
   * body was sent, unless the response came first. Never rejects.
   */
  async function post(
    body: string,
    { leaveAfterMs }: { leaveAfterMs?: number | undefined } = {},
  ): Promise<Answer> {
    const answer = await exchange({ method: "POST", path, body, leaveAfterMs });
    if (answer === null) return { status: 0, outcomes: [] };
    const outcomes = parseOutcomes(String(answer.headers["errata-outcome"] ?? ""));
    return { status: answer.status, outcomes };
  }

  /** The JSON at a path; undefined without a response, or with a status of 500 or more. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
  async function readJson(path: string): Promise<any> {
    const answer = await exchange({ path });
    return answer === null || answer.status >= 500 ? undefined : parse(answer.body);
  }

  /** Sends a request. `body` is the JSON of the answer, undefined without any; never rejects. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
  async function send(sent: Exchange): Promise<{ status: number; body: any; text: string }> {
    const answer = await exchange(sent);
    const text = answer?.body ?? "";
    return { status: answer?.status ?? 0, body: parse(text), text };
  }

  /** The status of a page, as HTML; 0 without an answer. */
  async function openPage(path: string) {
    const answer = await exchange({ path, headers: { accept: "text/html" } });
    return answer?.status ?? 0;
  }

  function exchange({
    method = "GET",
    path,
    body,
    headers: sentHeaders,
    leaveAfterMs,
  }: Exchange): Promise<{ status: number; headers: IncomingHttpHeaders; body: string } | null> {
    return new Promise((resolve) => {
      const headers = { accept: "application/json", ...sentHeaders };
      const options = { host: "127.0.0.1", port: getPort(), method, path, headers, agent };
      const sent = request({ ...options, timeout: PATIENCE_MS }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
        response.on("error", () => resolve(null));
        response.on("close", () => resolve(null));
      });
      sent.on("error", () => resolve(null));
      sent.on("timeout", () => sent.destroy());
      if (leaveAfterMs !== undefined) {
        // workerd cancels a request whose connection is reset, and finishes one whose connection is
        // closed.
        const leave = () => (sent.socket ? sent.socket.resetAndDestroy() : sent.destroy());
        sent.on("finish", () => setTimeout(leave, leaveAfterMs));
      }
      sent.end(body);
    });
  }

  return { post, readJson, openPage, send, close: () => agent.destroy() };
}

/** The value of a JSON text; undefined for any other text. */
function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
