/**
 * The part of Mozilla's push service (autopush) that a browser needs: a WebSocket on which Firefox
 * registers and receives messages, and the endpoint to which they are sent (RFC 8030).
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";

const WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A message of the browser: `hello`, `register`, `unregister`, `ack` and others. */
interface BrowserMessage {
  readonly messageType: string;
  readonly channelID?: string;
}

/** A running push service. */
export interface Autopush {
  /** `127.0.0.1:<port>`. */
  readonly target: string;
  /** The headers of each message that the endpoint received. */
  readonly received: readonly IncomingMessage["headers"][];
  readonly close: () => void;
}

/** Starts the service on a free port. */
export async function startAutopush(): Promise<Autopush> {
  const received: IncomingMessage["headers"][] = [];
  let browser: Duplex | undefined;
  const server: Server = createServer(async (request, response) => {
    const body = await buffer(request);
    received.push(request.headers);
    const channelID = request.url?.split("/").at(-1);
    const headers = { encoding: request.headers["content-encoding"] };
    const message = { channelID, version: randomUUID(), data: body.toString("base64url"), headers };
    browser?.write(encodeFrame({ messageType: "notification", ...message }));
    response.writeHead(browser === undefined ? 404 : 201).end();
  });
  const answer = ({ messageType, channelID }: BrowserMessage) => {
    const { port } = server.address() as AddressInfo;
    const pushEndpoint = `http://127.0.0.1:${port}/push/${channelID}`;
    if (messageType === "hello")
      return { messageType, status: 200, uaid: "0".repeat(32), use_webpush: true, broadcasts: {} };
    if (messageType === "register") return { messageType, status: 200, channelID, pushEndpoint };
    return messageType === "unregister" ? { messageType, status: 200, channelID } : undefined;
  };
  server.on("upgrade", (request, socket) => {
    const accept = createHash("sha1").update(
      `${request.headers["sec-websocket-key"]}${WEBSOCKET_GUID}`,
    );
    const protocol = request.headers["sec-websocket-protocol"];
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept.digest("base64")}\r\n` +
        `${protocol === undefined ? "" : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
    );
    browser = socket;
    let rest = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (let frame = decodeFrame(rest); frame !== null; frame = decodeFrame(rest)) {
        rest = rest.subarray(frame.length);
        if (frame.text === undefined) continue;
        const reply = answer(JSON.parse(frame.text) as BrowserMessage);
        if (reply !== undefined) socket.write(encodeFrame(reply));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    browser?.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { target: `127.0.0.1:${port}`, received, close };
}

/** A text frame of a server (RFC 6455 § 5.2), with at most 64 kB. */
function encodeFrame(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  const isShort = payload.length < 126;
  const header = Buffer.alloc(isShort ? 2 : 4);
  header[0] = 0x81;
  header[1] = isShort ? payload.length : 126;
  if (!isShort) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

/** The first masked frame of a client; `text` is absent for a control frame. Null: not complete. */
function decodeFrame(bytes: Buffer): { readonly length: number; readonly text?: string } | null {
  if (bytes.length < 6) return null;
  const short = (bytes[1] ?? 0) & 0x7f;
  const maskAt = short === 126 ? 4 : 2;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  const length = maskAt + 4 + size;
  if (bytes.length < length) return null;
  const mask = bytes.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(bytes.subarray(maskAt + 4, length));
  for (const [i, byte] of payload.entries()) payload[i] = byte ^ (mask[i % 4] ?? 0);
  return ((bytes[0] ?? 0) & 0x0f) === 1 ? { length, text: payload.toString() } : { length };
}
