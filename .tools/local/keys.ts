// The ingest keys of the local Errata: created at the first start and kept with its data.

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A new server key, a value of ERRATA_SERVER_KEY. */
export function createServerKey(): string {
  return `errata_server_${randomBytes(16).toString("hex")}`;
}

/** The key in the folder of the data, created if missing. Only this user can read its file. */
export function keepKey(statePath: string, kind: "public" | "server"): string {
  const file = join(statePath, kind === "public" ? "key" : "server-key");
  if (!existsSync(file)) {
    mkdirSync(statePath, { recursive: true });
    const key = kind === "public" ? randomBytes(16).toString("hex") : createServerKey();
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
  }
  return readFileSync(file, "utf8").trim();
}
