/**
 * What a misread digest most likely was, in the words of a printed erratum: "for 8 read B". The check character of a digest
 * finds any single wrong character, so the digests that differ in one look-alike are few.
 */
import type { DigestCorrection } from "../../core/grouping/digest.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** One digest that `read` may stand for, and whether it leads anywhere. */
export interface CorrectedDigest extends DigestCorrection {
  /** There is an issue with this digest. */
  readonly isKnown: boolean;
  /** The issue's title, when it is known. */
  readonly title?: string | undefined;
}

/** The likely digests, known ones in a list of their own; `read` is the code as it was typed, in the form `7F3K-Q2M8`. */
export function Corrections({
  input,
  corrections,
}: {
  readonly input: string;
  readonly corrections: readonly CorrectedDigest[];
}) {
  const knownCorrections = corrections.filter((correction) => correction.isKnown);
  const unknownCorrections = corrections.filter((correction) => !correction.isKnown);
  return (
    <>
      <p className="intro">
        The last character of a digest checks the others, and here it does not fit. One wrong
        character would explain it: one of these.
      </p>
      {knownCorrections.length > 0 && (
        <CorrectionList title="Known here" input={input} corrections={knownCorrections} />
      )}
      {unknownCorrections.length > 0 && (
        <CorrectionList
          title={
            knownCorrections.length > 0 ? "Fits, but not known" : "Fits, but none is known yet"
          }
          input={input}
          corrections={unknownCorrections}
        />
      )}
    </>
  );
}

function CorrectionList({
  title,
  input,
  corrections,
}: {
  title: string;
  input: string;
  corrections: readonly CorrectedDigest[];
}) {
  return (
    <section className="corrections">
      <h2>{title}</h2>
      <ol>
        {corrections.map((correction) => (
          <li key={correction.digest}>
            <span className="for-read">
              for <s>{correction.read}</s> read <ins>{correction.replacement}</ins>
            </span>{" "}
            <DeskLink href={toIssueUrl(correction.digest)} aria-label={correction.digest}>
              <CorrectedCode digest={correction.digest} input={input} />
            </DeskLink>{" "}
            {correction.title !== undefined && (
              <span className="correction-title" dir="auto">
                {correction.title}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The digest with the characters marked in which it differs from what was read. */
function CorrectedCode({ digest, input }: { digest: string; input: string }) {
  return (
    <code className="digest">
      {[...digest].map((character, index) =>
        character === input[index] ? character : <ins key={index}>{character}</ins>,
      )}
    </code>
  );
}
