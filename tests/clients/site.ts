/**
 * A small server on a port of its own: the team's site, or a proxy between the clients and Errata.
 * It records the requests that it forwards byte for byte, and forwards them unchanged.
 */
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer, request as forwardSecurely } from "node:https";
import { listen } from "../../.tools/local/port.ts";

/** One forwarded request and the status of its response. */
export interface ForwardedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly status: number;
}

/** A running site. */
export interface Site {
  readonly port: number;
  /** The forwarded requests, in the order of their responses. */
  readonly forwarded: readonly ForwardedRequest[];
  readonly close: () => Promise<void>;
}

/** The reaction to a request: respond with a page, forward to an address, or hang up. */
export type SiteResponse =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body: string;
    }
  | { readonly forwardTo: string }
  | { readonly hangUp: true };

/**
 * Serves the responses of `respondTo` on 127.0.0.1, over https if a `certificate` is given. A
 * forwarded request keeps its method, headers and body; the certificate of its target is not
 * verified.
 */
export async function openSite(
  respondTo: (path: string, headers: IncomingHttpHeaders) => SiteResponse,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<Site> {
  const forwarded: ForwardedRequest[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const answer = respondTo(request.url ?? "/", request.headers);
    if ("forwardTo" in answer)
      return void forwardRequest(request, response, answer.forwardTo, forwarded);
    if ("hangUp" in answer) return void request.socket.destroy();
    const { status = 200, headers = {}, body } = answer;
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(body);
  };
  const server =
    certificate === undefined ? createServer(handle) : createSecureServer(certificate, handle);
  const port = await listen(server, 0, "127.0.0.1");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, forwarded, close };
}

async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  to: string,
  forwarded: ForwardedRequest[],
): Promise<void> {
  const body = await readBytes(request);
  const url = new URL(to);
  const { method = "GET", headers } = request;
  const send = url.protocol === "https:" ? forwardSecurely : forward;
  const upstream = send(
    url,
    { method, headers: { ...headers, host: url.host }, rejectUnauthorized: false },
    (targetResponse) => {
      const status = targetResponse.statusCode ?? 502;
      forwarded.push({ method, path: request.url ?? "/", headers, body, status });
      response.writeHead(status, targetResponse.headers);
      targetResponse.pipe(response);
    },
  );
  upstream.on("error", () => response.destroy());
  upstream.end(body);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
