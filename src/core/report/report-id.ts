/**
 * Ids of reports. Each trust level has separate ids, so a stranger who knows the id of another
 * report cannot make that report look like a retry.
 */

import { toHex } from "../hex.ts";
import type { ReportId } from "../report.ts";
import { TRUST_LEVELS, TRUST_POLICY, type Trust } from "../trust/trust.ts";

/** SHA-256 of the text's UTF-8 bytes, 32 bytes. */
export type Sha256 = (text: string) => Uint8Array;

/** True for 32 lowercase hex characters: the id of a report or of a comment. */
export function isReportId(value: unknown): value is ReportId {
  return typeof value === "string" && /^[0-9a-f]{32}$/.test(value);
}

/** The hex digits that an id has in common with the ids of its retries. They select the shard. */
export const SHARED_ID_CHARS = 8;

/**
 * The id under which a report with the sender's `id` is stored: the same for `server`, otherwise
 * its first digits and a hash that includes the level.
 */
export function toStoredId(id: ReportId, trust: Trust, sha256: Sha256): ReportId {
  if (TRUST_POLICY[trust].keepsIds) return id;
  const hash = toHex(sha256(`${trust}\n${id}`));
  return id.slice(0, SHARED_ID_CHARS) + hash.slice(0, id.length - SHARED_ID_CHARS);
}

/**
 * The ids, besides `id` itself, under which a report with the sender's `id` may be stored: highest
 * trust first.
 */
export function listOtherIds(id: ReportId, sha256: Sha256): readonly ReportId[] {
  return TRUST_LEVELS.slice(1).map((trust) => toStoredId(id, trust, sha256));
}

/** The id of a counter that counts once, such as the end of a session. No report has such an id. */
export function toOnceId(once: ReportId, trust: Trust, sha256: Sha256): ReportId {
  return toHex(sha256(`once\n${trust}\n${once}`)).slice(0, once.length);
}

/** The id that the sender knows. */
export function getSenderId({ id, eventId }: { id: ReportId; eventId?: ReportId }): ReportId {
  return eventId ?? id;
}
