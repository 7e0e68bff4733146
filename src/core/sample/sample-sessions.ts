/** Sessions of the sample shop, as the SDKs of servers send them: counted, not stored. */

import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";
import { SAMPLE_DEFAULTS, type SamplePayload } from "./sample-payload.ts";

/** The sessions of each release: without errors, with errors, and crashed. */
const SESSIONS = [
  ["shop@2.2.0", { exited: 4_182, errored: 61, crashed: 9 }],
  ["shop@2.3.0", { exited: 6_455, errored: 88, crashed: 17 }],
  ["shop@2.4.0", { exited: 2_917, errored: 104, crashed: 38 }],
] as const;

/** One body with the sessions of all releases. */
export function createSessionPayload(nowMs: number): SamplePayload {
  const started = new Date(nowMs).toISOString();
  const items = SESSIONS.map(([release, counts]) => ({
    aggregates: [{ started, ...counts }],
    attrs: { release, environment: SAMPLE_ENVIRONMENT },
  }));
  return {
    text: `{}\n${items.map((item) => `{"type":"sessions"}\n${JSON.stringify(item)}\n`).join("")}`,
    errorNames: items.map(() => ""),
    defaults: SAMPLE_DEFAULTS,
  };
}
