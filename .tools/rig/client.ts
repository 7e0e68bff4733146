// An HTTP client that keeps connections, has a timeout, and can disconnect before the response.

import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { parseOutcomes } from "../reports/captures.ts";

const PATIENCE_MS = 15_000;

export type Outcome = ReturnType<typeof parseOutcomes>[number];

interface Exchange {
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Disconnects this long after the body was sent, unless the response came first. */
  leaveAfterMs?: number;
}

/** `status` is 0 without a response. */
interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export type Client = ReturnType<typeof createClient>;

/** A client of the port that `getPort` returns for each request. `key` is an ingest key. */
export function createClient(getPort: () => number, key?: string) {
  const reportPath = key === undefined ? "/monitoring" : `/monitoring?sentry_key=${key}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** Sends a request; asks for JSON by default. Never rejects. */
  function send({ method = "GET", path, headers, body, leaveAfterMs }: Exchange): Promise<Answer> {
    return new Promise((resolve) => {
      const fail = () => resolve({ status: 0, headers: {}, text: "" });
      const options = {
        ...{ host: "127.0.0.1", port: getPort(), method, path, agent, timeout: PATIENCE_MS },
        headers: { accept: "application/json", ...headers },
      };
      const sent = request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        response.on("error", fail).on("close", fail);
      });
      sent.on("error", fail).on("timeout", () => sent.destroy());
      if (leaveAfterMs !== undefined) {
        // workerd cancels a request whose connection is reset, and finishes one whose connection is
        // closed.
        const leave = () => (sent.socket ? sent.socket.resetAndDestroy() : sent.destroy());
        sent.on("finish", () => setTimeout(leave, leaveAfterMs));
      }
      sent.end(body);
    });
  }

  return {
    send,
    /** Sends a body to the path for reports. */
    async post(body: string, { leaveAfterMs }: Pick<Exchange, "leaveAfterMs"> = {}) {
      const { status, headers } = await send({
        method: "POST",
        path: reportPath,
        body,
        leaveAfterMs,
      });
      return { status, outcomes: parseOutcomes(String(headers["errata-outcome"] ?? "")) };
    },
    /** The JSON at a path; undefined without a response, or with a status of 500 or more. */
    // biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
    async readJson(path: string): Promise<any> {
      const { status, text } = await send({ path });
      return status >= 500 ? undefined : parseJson(text);
    },
    /** The status of a page, as HTML; 0 without an answer. */
    async openPage(path: string): Promise<number> {
      return (await send({ path, headers: { accept: "text/html" } })).status;
    },
    close: () => agent.destroy(),
  };
}

/** The value of a JSON text; undefined for any other text. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
export function parseJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
