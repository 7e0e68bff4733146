// An HTTP client that does what clients do: it keeps connections, gives up, and goes away before the answer.

import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:http";
import { outcomesOf } from "../outcomes.ts";

const PATIENCE_MS = 15_000;

export type Outcome = {
  outcome: string;
  item: string;
  id: string;
  digest: string;
  repeated: boolean;
};

/** `status` 0 when no answer came */
type Answer = { status: number; outcomes: readonly Outcome[] };

export type Client = ReturnType<typeof createClient>;

/** A client of whatever listens on the port that `portOf` names at that moment. */
export function createClient(portOf: () => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /**
   * Sends a body to the path for reports. With `leaveAfterMs` it goes away so long after the body has been written, unless
   * the answer was faster. Never rejects.
   */
  async function post(
    body: string,
    { leaveAfterMs }: { leaveAfterMs?: number | undefined } = {},
  ): Promise<Answer> {
    const answer = await exchange("POST", "/monitoring", body, leaveAfterMs);
    if (answer === null) return { status: 0, outcomes: [] };
    const outcomes = outcomesOf(String(answer.headers["errata-outcome"] ?? ""));
    return { status: answer.status, outcomes };
  }

  /**
   * The JSON behind an address of the desk, undefined when there was no answer or none with a status below 500.
   */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the desk
  async function json(path: string): Promise<any> {
    const answer = await exchange("GET", path, undefined, undefined);
    if (answer === null || answer.status >= 500) return undefined;
    try {
      return JSON.parse(answer.body);
    } catch {
      return undefined;
    }
  }

  /** The status of a page, as a browser asks for it; 0 when no answer came. */
  async function page(path: string) {
    const answer = await exchange("GET", path, undefined, undefined, "text/html");
    return answer?.status ?? 0;
  }

  function exchange(
    method: string,
    path: string,
    body: string | undefined,
    leaveAfterMs: number | undefined,
    accept: string = "application/json",
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: string } | null> {
    return new Promise((resolve) => {
      const headers = { accept };
      const options = { host: "127.0.0.1", port: portOf(), method, path, headers, agent };
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
        sent.on("finish", () => setTimeout(() => sent.destroy(), leaveAfterMs));
      }
      sent.end(body);
    });
  }

  return { post, json, page, close: () => agent.destroy() };
}
