/** States that the links of a stack lead to a branch, whose lines may have moved. */
import { use } from "react";
import type { Report } from "../../../core/report.ts";
import { toCodeFrame } from "../../../core/repositories/code-frame.ts";
import type { FrameResolution } from "../../../core/symbolication/resolution.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { CodeFinderContext } from "./stack-options.ts";

const NAME_CHARS = 40;

/** A sentence, if the commit of the release is not known; otherwise nothing. */
export function BranchNote({
  report: { frames, release },
  resolutions,
}: {
  report: Report;
  resolutions: readonly FrameResolution[];
}) {
  const finder = use(CodeFinderContext);
  const links = frames.flatMap(
    (frame, n) => finder?.findLink(toCodeFrame(frame, resolutions[n])) ?? [],
  );
  const link = links.find(({ revision }) => revision.commit === undefined);
  if (link === undefined) return null;
  const { branch } = link.revision;
  return (
    <p className="stack-note">
      Links lead to{" "}
      {branch === undefined || branch === "HEAD" ? (
        "the default branch"
      ) : (
        <>
          the branch <code>{abbreviate(branch, NAME_CHARS)}</code>
        </>
      )}
      , where lines may have moved:{" "}
      {release === undefined ? (
        "the report names no release."
      ) : (
        <>
          no build has <a href="/docs/repositories#the-commit">sent the commits</a> of{" "}
          <bdi>{abbreviate(release, NAME_CHARS)}</bdi>.
        </>
      )}
    </p>
  );
}
