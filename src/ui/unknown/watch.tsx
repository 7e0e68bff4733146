/** Waits for a report that may still be on its way, and says in its own place what came of the wait. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue.ts";
import { Boundary } from "../boundary.tsx";
import { issueUrl } from "../issue/issue-url.ts";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";

const MESSAGE_CHARS = 200;

/** The wait, then the answer. */
export function Watch({ watching }: { readonly watching: Promise<IssueSummary | null> }) {
  return (
    <div className="watch" role="status">
      <Boundary name="watching" loading={<Waiting />}>
        <Answer watching={watching} />
      </Boundary>
    </div>
  );
}

function Waiting() {
  return (
    <p className="waiting">
      <span className="pulse" aria-hidden="true" />
      Watching for it. A report that was just sent arrives within seconds, and shows up right here.
    </p>
  );
}

function Answer({ watching }: { watching: Promise<IssueSummary | null> }) {
  const found = use(watching);
  if (found === null) {
    return (
      <p>
        Watched for it, and it did not arrive.{" "}
        {/* biome-ignore lint/a11y/useValidAnchor: an empty reference is this very address (RFC 3986, § 4.4) */}
        <a href="">Watch again</a>
      </p>
    );
  }
  return (
    <p>
      It has just arrived:{" "}
      <A href={issueUrl(found.digest)}>
        <bdi className="type">{found.type || found.kind}</bdi>{" "}
        <span dir="auto">{headOf(found.message, MESSAGE_CHARS)}</span>
      </A>
    </p>
  );
}
