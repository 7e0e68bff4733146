/** The commits that may have caused an issue. */
import type { SuspectCommit } from "../../../core/release/suspect-commits.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { CommitItem } from "../../releases/release-facts.tsx";
import { toReleaseUrl } from "../../urls/release-urls.ts";

const FILE_CHARS = 60;
const RELEASE_CHARS = 40;

interface SuspectCommitsProps {
  readonly suspects: readonly SuspectCommit[];
  /** The release that the issue is new in. */
  readonly release: string | undefined;
  readonly nowMs: number;
}

/** Each commit with the file of the stack that it changed; nothing without any. */
export function SuspectCommits({ suspects, release, nowMs }: SuspectCommitsProps) {
  if (suspects.length === 0 || release === undefined) return null;
  return (
    <section aria-labelledby="suspects-heading">
      <h2 id="suspects-heading">Suspect commits</h2>
      <ul className="release-facts">
        {suspects.map(({ commit, file }) => (
          <CommitItem key={commit.id} commit={commit} nowMs={nowMs}>
            <p className="muted">
              changed <code>{abbreviate(file, FILE_CHARS)}</code>
            </p>
          </CommitItem>
        ))}
      </ul>
      <p className="muted">
        The issue is new in{" "}
        <DeskLink href={toReleaseUrl(release)}>
          <bdi>{abbreviate(release, RELEASE_CHARS)}</bdi>
        </DeskLink>
        . A commit of this release is listed if it changed a file of the stack.
      </p>
    </section>
  );
}
