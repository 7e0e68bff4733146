// The differences between acknowledgements and Errata. Each is a sentence.

import type { Client } from "../rig/client.ts";
import type { FaultyKv } from "./faulty-kv.ts";
import type { Journal } from "./journal.ts";
import type { KvRecord } from "./record.ts";

/** The sides that are compared: what was acknowledged, what is stored, and what Errata shows. */
export interface Evidence {
  journal: Journal;
  record: KvRecord;
  kv: FaultyKv;
  client: Client;
}

export interface Findings {
  /** Reports that were acknowledged and are missing. */
  lost: string[];
  /** Reports that were counted or stored more often than acknowledged. */
  duplicated: string[];
  /** All other differences. */
  wrong: string[];
}

export function createFindings(): Findings {
  return { lost: [], duplicated: [], wrong: [] };
}

/** Compares until nothing differs or `ms` are over. The last differences are the findings. */
export async function compareUntilEqual<T>(
  ms: number,
  findings: Findings,
  compare: (found: Findings) => Promise<T>,
): Promise<T> {
  const untilMs = performance.now() + ms;
  for (;;) {
    const found = createFindings();
    const result = await compare(found);
    const differs = found.lost.length + found.duplicated.length + found.wrong.length > 0;
    if (differs && performance.now() < untilMs) continue;
    findings.lost.push(...found.lost);
    findings.duplicated.push(...found.duplicated);
    findings.wrong.push(...found.wrong);
    return result;
  }
}
