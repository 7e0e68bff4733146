// The captures of tests/fixtures, which are requests of real clients, and how tools read Errata's
// answers.

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

/** The members of `Errata-Outcome`: `accepted;item="event";id="…";digest="…";duplicate`. */
export function parseOutcomes(header: string) {
  const members = header.split(", ").filter(Boolean);
  return members.map((member) => {
    const [outcome = "", ...parameters] = member.split(";");
    const read = (name: string) =>
      parameters
        .find((parameter) => parameter.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .replace(/"/g, "") ?? "";
    const isDuplicate = parameters.includes("duplicate");
    return { outcome, item: read("item"), id: read("id"), digest: read("digest"), isDuplicate };
  });
}

/** The JSON at an address of Errata, with the API token in ERRATA_TOKEN. Rejects a failure. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
export async function readJson(url: string): Promise<any> {
  const token = process.env.ERRATA_TOKEN;
  const headers = {
    accept: "application/json",
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { headers });
  if (!response.ok && response.status !== 404) throw new Error(`${url}: status ${response.status}`);
  return response.json();
}
