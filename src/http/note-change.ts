/**
 * What somebody adds to an issue, as a form or as JSON sends it. One field says what, and there is no other beside it:
 *
 *     comment=…      something to say            uncomment=<id>   takes one back
 *     assign=<name>  who looks after it          unassign=1       nobody does any more
 *     merge=<codes>  the issues that it takes in into=<code>      the issue that takes it in
 *     split=<digest> one of those that it took in stands alone again
 *
 * Issues are named by their digests, in whatever spelling or text: an address of one will do.
 */
import { readCodes } from "../core/codes.ts";
import { limits } from "../core/limits.ts";
import type { NoteChange } from "../core/notes.ts";
import type { Digest } from "../core/report.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { NoteFailure } from "./failures.ts";
import { isId, isYes, nameIn } from "./field-values.ts";
import { readFields } from "./fields.ts";

/** What is asked for: a change, and which issue it is made to. */
export interface AskedChange {
  readonly digest: Digest;
  readonly change: NoteChange;
}

/** The change that a request to the issue `digest` asks for; a comment gets a minted id. Consumes the request. Never rejects. */
export async function readNoteChange(
  request: Request,
  { digest, mintId }: { readonly digest: Digest; readonly mintId: () => string },
): Promise<Result<AskedChange, NoteFailure>> {
  const fields = await readFields(request);
  if (!fields.ok) return fields;
  const [[name, value] = []] = [...fields.value];
  if (fields.value.size !== 1) return bad(ONE_FIELD);
  const done = (change: NoteChange): Result<AskedChange, NoteFailure> => ok({ digest, change });
  switch (name) {
    case "comment": {
      const text = commentOf(value);
      return text === undefined ? bad(A_COMMENT) : done({ change: "comment", id: mintId(), text });
    }
    case "uncomment":
      return isId(value) ? done({ change: "uncomment", id: value }) : bad("the id of a comment");
    case "assign": {
      const to = nameIn(value, limits.maxAssigneeChars);
      return to === undefined ? bad(A_NAME) : done({ change: "assign", to });
    }
    case "unassign":
      return isYes(value) ? done({ change: "assign" }) : bad("unassign to be true");
    case "merge": {
      const from = othersIn(value, digest);
      return from.length > 0 ? done({ change: "merge", from }) : bad("digests of other issues");
    }
    case "into": {
      const [into, ...more] = othersIn(value, digest);
      if (into === undefined || more.length > 0) return bad("the digest of one other issue");
      return ok({ digest: into, change: { change: "merge", from: [digest] } });
    }
    case "split": {
      const [off, ...more] = othersIn(value, digest);
      if (off === undefined || more.length > 0)
        return bad("the digest of one issue that was merged");
      return done({ change: "split", off });
    }
    default:
      return bad(ONE_FIELD);
  }
}

const ONE_FIELD =
  "one of the fields comment, uncomment, assign, unassign, merge, into and split, and nothing beside it";
const A_COMMENT = `a comment of at most ${limits.maxCommentChars} characters`;
const A_NAME = `a name of at most ${limits.maxAssigneeChars} characters, no control characters`;

/** A comment with the line ends of JSON, not those of a form, and without what cannot be seen; undefined for none. */
function commentOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .trim();
  return text === "" || text.length > limits.maxCommentChars ? undefined : text;
}

/** The digests in a text, or in a list of texts, but for the issue's own; none when one of them was misread. */
function othersIn(value: unknown, own: Digest): readonly Digest[] {
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === "string")) return [];
  const codes = readCodes(texts.join("\n"));
  if (codes.some(({ kind }) => kind === "misread")) return [];
  const digests = codes.flatMap((code) =>
    code.kind === "digest" && code.digest !== own ? [code.digest] : [],
  );
  return [...new Set(digests)];
}

function bad(expected: string): Result<never, NoteFailure> {
  return fail({ reason: "bad-note", expected });
}
