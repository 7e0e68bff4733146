// Ports of this machine, with Node's own sockets.

import { createServer, type Server } from "node:net";

/**
 * Resolves to the server's port once it listens. Rejects with `code` "EADDRINUSE" when the port is
 * taken.
 * @param port 0 takes a free one
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

/** Resolves if the port is free; otherwise rejects as `listen` does. */
export async function assertFree(port: number, host: string) {
  const probe = createServer();
  await listen(probe, port, host);
  await new Promise((resolve) => probe.close(resolve));
}

/** Resolves to a port that is free at the moment. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0, "127.0.0.1");
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
