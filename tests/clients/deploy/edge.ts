/** Cloudflare's edge for the tests of the deployment: the hosts of the account and of others. */
import { createServer } from "node:http";
import { listen } from "../../../.tools/local/port.ts";

/** A request that reached a host. */
export interface EdgeRequest {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  /** Headers and body, as text. */
  readonly sent: string;
}

/** The answer of a host; null if its name does not resolve yet. */
export type Host = (request: Request) => Promise<Response | null> | Response | null;

/** Answers for the hosts in `hosts`. No other name resolves. */
export async function openEdge() {
  const hosts = new Map<string, Host>();
  const requests: EdgeRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "GET", url: path = "/" } = incoming;
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const host = headers.get("x-edge-host") ?? "";
    for (const name of ["x-edge-host", "host", "connection", "content-length"])
      headers.delete(name);
    const bytes = Buffer.concat(chunks);
    const sent = `${JSON.stringify([...headers])}\n${bytes.toString("latin1")}`;
    requests.push({ host, method, path, sent });
    const body = bytes.length > 0 ? bytes : null;
    const request = new Request(`https://${host}${path}`, { method, headers, body });
    const answering = Promise.resolve(hosts.get(host)?.(request));
    const answer = await answering.catch((error) => new Response(String(error), { status: 500 }));
    if (!answer) {
      response.writeHead(421, { "x-edge-unknown": "1" }).end();
      return;
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const port = await listen(server, 0, "127.0.0.1");
  return {
    url: `http://127.0.0.1:${port}`,
    hosts,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
