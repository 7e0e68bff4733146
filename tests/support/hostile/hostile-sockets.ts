/** Bytes on a socket that no HTTP client sends. */
import { connect, type Socket } from "node:net";

/** A POST to the reporting path with these headers and this body. */
export const postBytes = (headers: string, body = "{}") =>
  `POST /monitoring HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;

/** Malformed requests, and requests with false framing. One character is one byte. */
export const hostileBytes: readonly { readonly name: string; readonly bytes: string }[] = [
  { name: "a length that is not a number", bytes: postBytes("Content-Length: many") },
  { name: "a length below nothing", bytes: postBytes("Content-Length: -1") },
  { name: "a length of 10^30", bytes: postBytes(`Content-Length: 1${"0".repeat(30)}`) },
  { name: "two lengths", bytes: postBytes("Content-Length: 2\r\nContent-Length: 5") },
  {
    name: "a length shorter than the body",
    bytes: postBytes("Content-Length: 2", `{}${"x".repeat(500)}\r\n\r\n`),
  },
  {
    name: "a chunk whose size is not a number",
    bytes: postBytes("Transfer-Encoding: chunked", "zz\r\n{}\r\n"),
  },
  {
    name: "a chunk of 2^64 bytes",
    bytes: postBytes("Transfer-Encoding: chunked", "10000000000000000\r\n{}\r\n"),
  },
  { name: "a header without a colon", bytes: postBytes("Content-Length 2") },
  { name: "a NUL in a header", bytes: postBytes("X-A: a\u0000b\r\nContent-Length: 2") },
  { name: "a header of a megabyte", bytes: postBytes(`X-A: ${"x".repeat(1_000_000)}`) },
  { name: "no HTTP at all", bytes: `\u0016\u0003\u0001${"\u0000".repeat(200)}\r\n\r\n` },
];

/** Opens a connection to the server at `url`; the caller closes it. */
export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket)).on("error", reject);
  });
}

/** Resolves to all received text when the other side closes. */
export function readUntilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("latin1").on("data", (piece) => {
      text += piece;
    });
    socket.on("error", () => undefined).on("close", () => resolve(text));
  });
}
