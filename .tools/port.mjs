// Ports of this machine, with Node's own sockets.

import { createServer } from "node:net";

/**
 * Resolves to the server's port once it listens. Rejects with `code` "EADDRINUSE" when the port is taken.
 *
 * @param {import("node:net").Server} server
 * @param {number} port 0 takes a free one
 * @param {string} host
 * @returns {Promise<number>}
 */
export function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

/**
 * Resolves when nobody listens there, and rejects as `listen` does otherwise.
 *
 * @param {number} port
 * @param {string} host
 */
export async function assertFree(port, host) {
  const probe = createServer();
  await listen(probe, port, host);
  await new Promise((resolve) => probe.close(resolve));
}
