/** `POST /d/<digest>/notes`: comments, who looks after it, merging and splitting. A form or JSON; only Errata's own pages may send it. */
import { readDigest } from "../core/digest.ts";
import { fail, ok } from "../core/result.ts";
import { issueUrl } from "../ui/issue/issue-url.ts";
import { answerChange } from "./change.ts";
import { here } from "./here.ts";
import { readNoteChange } from "./note-change.ts";
import type { AppContext } from "./services.ts";

/** What the page says of each change. */
const DID = {
  comment: "commented",
  uncomment: "uncommented",
  assign: "assigned",
  merge: "merged-one",
  split: "split",
} as const;

/**
 * Leads to the page of the issue, after a merge to the one that has all; JSON: its notes, with its `digest`. 404 where one of the
 * issues is not known, 400, 413 or 415 for fields that ask for nothing; otherwise as `answerChange` says.
 */
export function changeNotes(c: AppContext): Promise<Response> {
  const { desk, mintId } = c.get("services");
  const reading = readDigest(c.req.param("digest") ?? "");
  let formAt = reading.ok ? issueUrl(reading.value) : undefined;
  const act = async () => {
    if (!reading.ok) return fail({ reason: "unknown-digest" });
    const asked = await readNoteChange(c.req.raw, { digest: reading.value, mintId });
    if (!asked.ok) return asked;
    const { digest, change } = asked.value;
    const { name: by } = c.get("visitor");
    const notes = await desk.annotate(digest, by === undefined ? change : { ...change, by });
    if (notes === null) {
      // Of a merge it may be the other one that nobody knows.
      if ((await desk.issueNow(reading.value)) === null) formAt = "/issues";
      return fail({ reason: "unknown-digest" });
    }
    const url = issueUrl(digest);
    const isSaid = change.change === "comment" || change.change === "uncomment";
    return ok({
      said: { digest, url: here(c, url), ...notes },
      leadsTo: isSaid ? `${url}#activity` : url,
      done: { did: DID[change.change], count: 1 },
    });
  };
  return answerChange(c, act, { formAt: () => formAt });
}
