/** A proxy that speaks HTTP/2 to browsers, as Cloudflare does, and HTTP/1.1 to Errata. */
import { request } from "node:http";
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { listen } from "../../../.tools/local/port.ts";

/** Headers of one connection, which HTTP/2 does not have (RFC 9113 § 8.2.2). */
const CONNECTION_HEADERS = /^(?::.*|connection|keep-alive|transfer-encoding|host)$/;

/** A running proxy. */
interface Http2Proxy {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves `targetUrl` on a port of 127.0.0.1, over HTTP/2 alone. */
export async function openHttp2Proxy(
  targetUrl: () => string,
  certificate: { readonly key: string; readonly cert: string },
): Promise<Http2Proxy> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer(certificate);
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    forward(stream, headers, targetUrl());
  });
  const port = await listen(server, 0, "127.0.0.1");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const session of sessions) session.destroy();
    });
  return { port, close };
}

function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, target: string): void {
  const { ":method": method = "GET", ":path": path = "/" } = headers;
  const upstream = request(
    new URL(path, target),
    // A connection of its own: a pooled one that the server just closed would lose the request.
    { method, headers: withoutConnectionHeaders(headers), agent: false },
    (response) => {
      const { statusCode = 502 } = response;
      stream.respond({ ":status": statusCode, ...withoutConnectionHeaders(response.headers) });
      response.pipe(stream);
    },
  );
  upstream.once("error", () => stream.destroy());
  stream.pipe(upstream);
}

function withoutConnectionHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.test(name)),
  );
}
