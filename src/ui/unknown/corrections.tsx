/**
 * What a misread digest most likely was, in the words of a printed erratum: "for 8 read B". The check character of a digest
 * finds any single wrong character, so the digests that differ in one look-alike are few.
 */
import type { Misreading } from "../../core/digest.ts";
import { issueUrl } from "../issue/issue-url.ts";
import { A } from "../place.tsx";

/** One digest that `read` may stand for, and whether it leads anywhere. */
export interface LikelyDigest extends Misreading {
  /** There is an issue with this digest. */
  readonly known: boolean;
  /** The issue's title, when it is known. */
  readonly title?: string | undefined;
}

/** The likely digests, known ones in a list of their own; `read` is the code as it was typed, in the form `7F3K-Q2M8`. */
export function Corrections({
  read,
  likely,
}: {
  readonly read: string;
  readonly likely: readonly LikelyDigest[];
}) {
  const known = likely.filter((one) => one.known);
  const others = likely.filter((one) => !one.known);
  return (
    <>
      <p className="lead">
        The last character of a digest checks the others, and here it does not fit. One wrong
        character would explain it: one of these.
      </p>
      {known.length > 0 && <CorrectionList title="Known here" read={read} likely={known} />}
      {others.length > 0 && (
        <CorrectionList
          title={known.length > 0 ? "Fits, but not known" : "Fits, but none is known yet"}
          read={read}
          likely={others}
        />
      )}
    </>
  );
}

function CorrectionList({
  title,
  read,
  likely,
}: {
  title: string;
  read: string;
  likely: readonly LikelyDigest[];
}) {
  return (
    <section className="corrections">
      <h2>{title}</h2>
      <ol>
        {likely.map((one) => (
          <li key={one.digest}>
            <span className="for-read">
              for <s>{one.read}</s> read <ins>{one.likely}</ins>
            </span>{" "}
            <A href={issueUrl(one.digest)} aria-label={one.digest}>
              <Corrected digest={one.digest} read={read} />
            </A>{" "}
            {one.title !== undefined && (
              <span className="correction-title" dir="auto">
                {one.title}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The digest with the characters marked in which it differs from what was read. */
function Corrected({ digest, read }: { digest: string; read: string }) {
  return (
    <code className="digest">
      {[...digest].map((character, index) =>
        character === read[index] ? character : <ins key={index}>{character}</ins>,
      )}
    </code>
  );
}
