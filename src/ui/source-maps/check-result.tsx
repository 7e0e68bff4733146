/** The result of the check of a script. */
import { use } from "react";
import { getBasePathProject } from "../../core/accounts/project-path.ts";
import { listDoubts, METHOD_TEXTS } from "../../core/symbolication/report/describe-match.ts";
import { explainFrame } from "../../core/symbolication/report/explain-frame.ts";
import type { ProbedFile, ProbeResult } from "../../core/symbolication/report/probe-file.ts";
import type { ResolvedFrame } from "../../core/symbolication/resolution.ts";
import { FrameAdviceText } from "../issue/stack/frame-advice.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { toUploadUrl } from "../urls/source-map-urls.ts";

/** A request of the form, and its result. */
export interface FileCheck {
  readonly asked: ProbedFile;
  /** Null if the script has no answer. */
  readonly result: ProbeResult | null;
}

const NAME_CHARS = 200;

/** The answer; null while the object with the maps is unavailable. */
export function CheckResult({ check: promise }: { check: Promise<FileCheck | null> }) {
  const project = getBasePathProject(useDesk().base);
  const check = use(promise);
  if (check === null || check.result === null)
    return <p className="warning">Source maps are temporarily unavailable.</p>;
  const { asked, result } = check;
  const { script, place } = result;
  if (script.kind === "resolved") {
    return (
      <div className="check-result" data-mapped="" role="status">
        <p>
          <b>Mapped</b> {METHOD_TEXTS[script.matchedBy]}
          {listDoubts(script).map((doubt) => (
            <span key={doubt}>
              , <bdi>{doubt}</bdi>
            </span>
          ))}
          {script.upload !== undefined && (
            <>
              , upload{" "}
              <DeskLink href={toUploadUrl(script.upload)}>
                <code>{script.upload.slice(0, 8)}</code>
              </DeskLink>
            </>
          )}
          .
        </p>
        {place !== undefined && <PlaceLine place={place} />}
        {place === undefined && asked.line !== undefined && (
          <p>Its map has no entry for line {asked.line}.</p>
        )}
      </div>
    );
  }
  const advice = explainFrame(asked, script, { ...asked, project });
  return (
    <div className="check-result" role="status">
      <p>
        <b>Not mapped.</b>{" "}
        {advice === null &&
          "No map is needed: this is an original source, an extension or native code."}
      </p>
      {advice !== null && <FrameAdviceText advice={advice} />}
    </div>
  );
}

/** `totalOf  src/cart.tsx:12:5` */
function PlaceLine({ place: { file, line, column, function: name } }: { place: ResolvedFrame }) {
  return (
    <p>
      {name !== undefined && (
        <>
          <bdi className="function">{abbreviate(name, NAME_CHARS)}</bdi>{" "}
        </>
      )}
      <span className="location">
        <bdi>{abbreviate(file, NAME_CHARS)}</bdi>:{line}:{column}
      </span>
    </p>
  );
}
