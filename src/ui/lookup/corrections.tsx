/**
 * Suggestions for a misread digest, worded like a printed erratum: "for 8 read B". The check
 * character detects any single wrong character, so only a few digests with one look-alike replaced
 * are possible.
 */
import type { DigestCorrection } from "../../core/grouping/parse-digest.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** A digest that the input may have meant. */
export interface CorrectedDigest extends DigestCorrection {
  /** True if there is an issue with this digest. */
  readonly isKnown: boolean;
  /** The issue's title, if known. */
  readonly title?: string | undefined;
}

/** The possible digests, existing issues first. `input` is the typed code, as `7F3K-Q2M8`. */
export function Corrections({
  input,
  corrections,
}: {
  input: string;
  corrections: readonly CorrectedDigest[];
}) {
  const knownCorrections = corrections.filter((correction) => correction.isKnown);
  const unknownCorrections = corrections.filter((correction) => !correction.isKnown);
  return (
    <>
      <p className="intro">
        The check character does not match, so at least one character is wrong. Did you mean one of
        these digests?
      </p>
      {knownCorrections.length > 0 && (
        <CorrectionList title="Existing issues" input={input} corrections={knownCorrections} />
      )}
      {unknownCorrections.length > 0 && (
        <CorrectionList
          title={knownCorrections.length > 0 ? "Valid, but unknown" : "Valid, but all unknown"}
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
            <span className="correction-hint">
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

/** The digest, with the characters marked that differ from the input. */
function CorrectedCode({ digest, input }: { digest: string; input: string }) {
  return (
    <code className="digest">
      {[...digest].map((character, index) =>
        character === input[index] ? character : <ins key={index}>{character}</ins>,
      )}
    </code>
  );
}
