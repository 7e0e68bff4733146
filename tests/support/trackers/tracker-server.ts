/** The fake trackers on a free port of loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeTrackers } from "./fake-trackers.ts";

export interface TrackerServer {
  readonly origin: string;
  /** `127.0.0.1:18900`. */
  readonly target: string;
  stop(): Promise<void>;
}

export async function serveTrackers(trackers: FakeTrackers): Promise<TrackerServer> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "GET", url = "/", headers } = incoming;
    const request = new Request(`http://127.0.0.1${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const response = await trackers.respond(request);
    // A status that no response can have ends the connection.
    if (response.type === "error") return void incoming.socket.destroy();
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    target: `127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
