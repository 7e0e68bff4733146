// An HTTP client that does what clients do: it keeps connections, gives up, and goes away before the answer.

import { Agent, request } from "node:http";
import { outcomesOf } from "../outcomes.mjs";

const PATIENCE_MS = 15_000;

/** @typedef {{ outcome: string, item: string, id: string, digest: string, repeated: boolean }} Outcome */
/** @typedef {{ status: number, outcomes: readonly Outcome[] }} Answer `status` 0 when no answer came */
/** @typedef {ReturnType<typeof createClient>} Client */

/**
 * A client of whatever listens on the port that `portOf` names at that moment.
 *
 * @param {() => number} portOf
 */
export function createClient(portOf) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /**
   * Sends a body to the path for reports. With `leaveAfterMs` it goes away so long after the body has been written, unless
   * the answer was faster. Never rejects.
   *
   * @param {string} body
   * @param {{ leaveAfterMs?: number | undefined }} [options]
   * @returns {Promise<Answer>}
   */
  async function post(body, { leaveAfterMs } = {}) {
    const answer = await exchange("POST", "/monitoring", body, leaveAfterMs);
    if (answer === null) return { status: 0, outcomes: [] };
    const outcomes = outcomesOf(String(answer.headers["errata-outcome"] ?? ""));
    return { status: answer.status, outcomes };
  }

  /**
   * The JSON behind an address of the desk, undefined when there was no answer or none with a status below 500.
   *
   * @param {string} path
   * @returns {Promise<any>}
   */
  async function json(path) {
    const answer = await exchange("GET", path, undefined, undefined);
    if (answer === null || answer.status >= 500) return undefined;
    try {
      return JSON.parse(answer.body);
    } catch {
      return undefined;
    }
  }

  /** The status of a page, as a browser asks for it; 0 when no answer came. @param {string} path */
  async function page(path) {
    const answer = await exchange("GET", path, undefined, undefined, "text/html");
    return answer?.status ?? 0;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string | undefined} body
   * @param {number | undefined} leaveAfterMs
   * @param {string} [accept]
   * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, body: string } | null>}
   */
  function exchange(method, path, body, leaveAfterMs, accept = "application/json") {
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
