// The captures of tests/fixtures: requests of real clients.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";

/** A client's request, or the arguments that a Next.js server passed to `onRequestError`. */
export interface Capture {
  request?: { method: string; headers: [name: string, value: string][] };
  body?: string;
  bodyBase64?: string;
  bodyTextAfterDecoding?: string;
  digestInHtmlSource?: string;
  onRequestError?: { error: { digest?: string } };
}

const folder = join(root, "tests", "fixtures");

/** The names of all captures. */
export function listCaptures(): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.map((file) => file.replace(/\.json$/, ""));
}

export function readCapture(name: string): Capture {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
}

/** The body of a capture as text, decompressed. */
export function readText({ body, bodyTextAfterDecoding }: Capture): string {
  return body ?? bodyTextAfterDecoding ?? "";
}

const SENT_AGAIN = /^(content-type|content-encoding|user-agent|origin|access-control-request-.*)$/i;

/** The request of a capture, without the headers of its connection. */
export function toRequest({ request, body, bodyBase64, onRequestError }: Capture): RequestInit {
  if (onRequestError) return { method: "POST", body: JSON.stringify(onRequestError) };
  const headers = (request?.headers ?? []).filter(([name]) => SENT_AGAIN.test(name));
  const method = request?.method ?? "POST";
  if (method === "OPTIONS") return { method, headers };
  return { method, headers, body: bodyBase64 ? Buffer.from(bodyBase64, "base64") : (body ?? "") };
}
