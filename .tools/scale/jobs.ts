// The operations on all data, as a person or a script requests them.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "../command/wait-until.ts";
import type { Running } from "../rig/store.ts";

const PERSON = "person17@example.com";
const TAIL_BYTES = 1_000;
const POLL_MS = 100;
const MAX_MS = 1_800_000;

/** Previews and confirms an erasure. Resolves to the number of its reports, as text. */
export async function erasePerson(running: Running): Promise<string> {
  const { preview } = await startJob(running, "/erase/preview", { text: PERSON });
  const { found } = (await running.client.readJson(`/erase/${preview}`)) as {
    found: { reports: number; examined: number };
  };
  const reports = String(found.reports);
  await startJob(running, "/erase", { preview: String(preview), confirm: PERSON, reports });
  return `${reports} of ${found.examined} reports`;
}

/** Starts a job and waits until no job runs; resolves to the response. */
export async function startJob(
  { port, client }: Running,
  path: string,
  fields: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(fields),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const started = (await response.json()) as Record<string, unknown>;
  await sleep(POLL_MS);
  const isDone = async () => {
    const status = await client.readJson("/status");
    return status?.health !== undefined && status.health.work === undefined;
  };
  if (await waitUntil(isDone, { maxMs: MAX_MS, everyMs: POLL_MS })) return started;
  throw new Error("still running after half an hour");
}

/** Writes the parts of an export into files. The last line of a part has the next cursor. */
export async function exportAll({ port }: Running, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const path: string = `/export?${new URLSearchParams({ cursor })}`;
    const response: Response = await fetch(`http://127.0.0.1:${port}${path}`);
    if (!response.ok || response.body === null) throw new Error(`${path}: ${response.status}`);
    const file = join(folder, `part-${files.length}.ndjson`);
    await pipeline(response.body, createWriteStream(file));
    files.push(file);
    const last = readLastLine(file);
    if (!("next" in last || "end" in last)) throw new Error("The export ended early.");
    cursor = last.next;
  }
  return files;
}

function readLastLine(file: string): { next?: string; end?: number } {
  const { size } = statSync(file);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const opened = openSync(file, "r");
  readSync(opened, tail, 0, tail.length, size - tail.length);
  closeSync(opened);
  return JSON.parse(tail.toString().trimEnd().split("\n").at(-1) ?? "");
}

export async function importAll({ port }: Running, file: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/import", method: "POST" };
    const sent = request({ ...options, timeout: MAX_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(text))));
    });
    sent.on("error", reject);
    pipeline(createReadStream(file), sent).catch(reject);
  });
}
