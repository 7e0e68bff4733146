/** `POST /d/<digest>/notes`: comments, who looks after it, merging and splitting. A form or JSON; only Errata's own pages may send it. */
import { readDigest } from "../core/digest.ts";
import type { NoteChange, Notes } from "../core/notes.ts";
import type { Desk } from "../core/ports.ts";
import type { Digest } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { type Failure, failureResponse } from "./failures.ts";
import { readsJson } from "./fields.ts";
import { issueUrl } from "./find.ts";
import { readNoteChange } from "./note-change.ts";
import { isSameOrigin } from "./same-origin.ts";
import type { AppContext } from "./services.ts";

/** What was changed, and of which issue. */
interface Changed {
  readonly digest: Digest;
  readonly notes: Notes;
  /** The part of the page that shows it. */
  readonly fragment: "" | "#activity";
}

/**
 * 303 to the page of the issue, after a merge to the one that has all; to who asks for JSON or sent some its notes, with its
 * `digest`. 403 for what another site sent, 404 where one of the issues is not known, 400, 413 or 415 for fields that ask for
 * nothing, 503 while the index is away: these are JSON, and nothing was changed.
 */
export async function changeNotes(c: AppContext): Promise<Response> {
  const changed = await changeAsTold(c);
  if (!changed.ok) return failureResponse(changed);
  const { digest, notes, fragment } = changed.value;
  return readsJson(c)
    ? c.json({ digest, url: issueUrl(digest), ...notes })
    : c.redirect(`${issueUrl(digest)}${fragment}`, 303);
}

async function changeAsTold(c: AppContext): Promise<Result<Changed, Failure>> {
  const { desk, logProblem, mintId } = c.get("services");
  if (!isSameOrigin(c.req.raw)) return fail({ reason: "cross-site" });
  const reading = readDigest(c.req.param("digest") ?? "");
  if (!reading.ok) return fail({ reason: "unknown-digest" });
  const asked = await readNoteChange(c.req.raw, { digest: reading.value, mintId });
  if (!asked.ok) return asked;
  const { digest, change } = asked.value;
  const isSaid = change.change === "comment" || change.change === "uncomment";
  try {
    if (!(await isMergeable(desk, change))) return fail({ reason: "unknown-digest" });
    const notes = await desk.annotate(digest, change);
    if (notes === null) return fail({ reason: "unknown-digest" });
    return ok({ digest, notes, fragment: isSaid ? "#activity" : "" });
  } catch (cause) {
    logProblem(cause);
    return fail({ reason: "index-unavailable" });
  }
}

/** True when all issues that are to be merged are there: the store takes in those that it knows, and says nothing of others. */
async function isMergeable(desk: Desk, change: NoteChange): Promise<boolean> {
  if (change.change !== "merge") return true;
  const issues = await Promise.all(change.from.map((digest) => desk.issueNow(digest)));
  return issues.every((issue) => issue !== null);
}
