/**
 * A site that answers with exact bytes, and a client that reads exact bytes: neither adds, decodes
 * or joins anything.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { listen } from "../../../.tools/local/port.ts";

/** An answer of the site. */
export interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The chunks of the body, each sent apart. */
  readonly chunks?: readonly Uint8Array[];
  /** Called instead of sending the chunks, after the headers. */
  readonly send?: (response: ServerResponse) => void | Promise<void>;
}

/** A running site. */
export interface ExactSite {
  readonly port: number;
  /** The requests in the order of their arrival. */
  readonly requests: IncomingMessage[];
  readonly close: () => Promise<void>;
}

/** Serves the answers by their path. */
export async function openExactSite(
  answer: (path: string, request: IncomingMessage) => SiteAnswer | undefined,
  onUpgrade?: (request: IncomingMessage, socket: Duplex) => void,
): Promise<ExactSite> {
  const requests: IncomingMessage[] = [];
  const upgraded: Duplex[] = [];
  const server = createServer(async (incoming, response) => {
    requests.push(incoming);
    const found = answer(incoming.url ?? "/", incoming);
    const { status = 200, headers = {}, chunks = [], send } = found ?? { status: 404 };
    response.writeHead(status, headers);
    if (send !== undefined) return void (await send(response));
    for (const chunk of chunks) {
      await new Promise((sent) => response.write(chunk, sent));
    }
    response.end();
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => {
    upgraded.push(socket);
    onUpgrade?.(incoming, socket);
  });
  const port = await listen(server, 0, "127.0.0.1");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
    });
  return { port, requests, close };
}

/** What a client received, byte for byte. */
export interface ExactResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Names and values as they were sent, in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The response has ended as its headers promise. */
  readonly isComplete: boolean;
}

/** The headers of a navigation in Chromium. */
export const NAVIGATION = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-encoding": "gzip, deflate, br",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
};

interface ExactRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request, by default a navigation. Rejects if there is no response. */
export function getExactly(url: string, options: ExactRequest = {}): Promise<ExactResponse> {
  const { method = "GET", headers = NAVIGATION, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks),
          isComplete: response.complete,
        });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => undefined).on("close", end);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
