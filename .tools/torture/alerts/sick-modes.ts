// Receivers that never accept a message properly: each does one thing that could delay others.

import type { ServerResponse } from "node:http";

const CHUNK = Buffer.alloc(64 * 1024, "x");
const LARGE_BYTES = 100 * 1024 * 1024;

/** The answers of sick receivers, each to every request that it has read. */
const MODES: readonly ((response: ServerResponse) => void)[] = [
  // Never answers.
  () => undefined,
  // Sends the status and never the body.
  (response) => response.writeHead(200).flushHeaders(),
  // One byte a second.
  (response) => {
    response.writeHead(200);
    repeat(response, 1_000, () => response.write("x"));
  },
  // A body that never ends.
  (response) => {
    response.writeHead(200);
    repeat(response, 1, () => response.write(CHUNK));
  },
  // A large body.
  (response) => {
    response.writeHead(200);
    let bytes = 0;
    const write = () => {
      while (bytes < LARGE_BYTES) {
        bytes += CHUNK.length;
        if (!response.write(CHUNK)) return;
      }
      response.end();
    };
    response.on("drain", write);
    write();
  },
  // The status of an error, and never the body.
  (response) => response.writeHead(500).flushHeaders(),
  (response) => response.writeHead(429, { "retry-after": "999999999999" }).end(),
  (response) => response.writeHead(302, { location: "/sick-0" }).end(),
  (response) => response.destroy(),
  // Not HTTP.
  (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
];

/** The path of the sick receiver with this number; the first ones never answer if `isHanging`. */
export function toSickPath(n: number, isHanging: boolean): string {
  return `/sick-${isHanging ? 0 : n % MODES.length}-${n}`;
}

/** Answers as the receiver of a path does; false if the path is not that of a sick one. */
export function answerSick(path: string, response: ServerResponse): boolean {
  const [, mode] = /^\/sick-(\d+)-/.exec(path) ?? [];
  if (mode === undefined) return false;
  response.on("error", () => undefined);
  MODES[Number(mode)]?.(response);
  return true;
}

function repeat(response: ServerResponse, everyMs: number, write: () => void): void {
  const timer = setInterval(write, everyMs);
  response.on("close", () => clearInterval(timer));
}
