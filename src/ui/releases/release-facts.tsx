/** The facts that build tools send about a release: when it was released, deploys and commits. */
import { type ReactNode, use } from "react";
import { getDeployMs } from "../../core/artifacts/deploy-moments.ts";
import type { Deploy, ReleaseCommit, ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { safeHref } from "../parts/safe-href.ts";
import { RelativeTime } from "../parts/time.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";

const NAME_CHARS = 60;
const MESSAGE_CHARS = 120;
const ID_CHARS = 10;

interface FactsProps {
  readonly facts: ReleaseFacts;
  readonly nowMs: number;
}

/** `production 2 h ago`, or `released 2 h ago` without a deploy; nothing without either. */
export function LastDeploy({ facts, nowMs }: FactsProps) {
  const last = facts.deploys.toSorted((a, b) => (getDeployMs(b) ?? 0) - (getDeployMs(a) ?? 0))[0];
  const atMs = last ? getDeployMs(last) : facts.releasedMs;
  if (last === undefined && atMs === undefined) return null;
  return (
    <>
      {last ? <bdi>{abbreviate(last.environment, NAME_CHARS)}</bdi> : "released"}{" "}
      {atMs !== undefined && <RelativeTime atMs={atMs} nowMs={nowMs} />}
    </>
  );
}

/** The deploys and commits of a release; nothing if no tool has sent any. */
export function LoadedReleaseFacts({
  facts: loading,
  nowMs,
}: {
  facts: Promise<ReleaseFacts | undefined>;
  nowMs: number;
}) {
  const facts = use(loading);
  if (facts === undefined) return null;
  const { createdMs, releasedMs, deploys, commits } = facts;
  return (
    <section aria-labelledby="build">
      <h2 id="build">Deploys and commits</h2>
      <p className="muted">
        {releasedMs === undefined ? "Created " : "Released "}
        <RelativeTime atMs={releasedMs ?? createdMs} nowMs={nowMs} />.
      </p>
      {deploys.length > 0 && (
        <ul className="release-facts" aria-label="Deploys">
          {deploys.map((deploy) => (
            <DeployItem key={JSON.stringify(deploy)} deploy={deploy} nowMs={nowMs} />
          ))}
        </ul>
      )}
      {commits.length > 0 && (
        <ul className="release-facts" aria-label="Commits">
          {commits.map((commit) => (
            <CommitItem key={`${commit.repository} ${commit.id}`} commit={commit} nowMs={nowMs} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DeployItem({ deploy, nowMs }: { deploy: Deploy; nowMs: number }) {
  const { environment, name, url } = deploy;
  const atMs = getDeployMs(deploy);
  const href = safeHref(url);
  return (
    <li>
      Deployed to <bdi>{abbreviate(environment, NAME_CHARS)}</bdi>{" "}
      {atMs !== undefined && <RelativeTime atMs={atMs} nowMs={nowMs} />}
      {name !== undefined && (
        <>
          {" · "}
          <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
        </>
      )}
      {href !== undefined && (
        <>
          {" · "}
          <a href={href} rel="noreferrer">
            {abbreviate(href, NAME_CHARS)}
          </a>
        </>
      )}
    </li>
  );
}

interface CommitItemProps {
  readonly commit: ReleaseCommit;
  readonly nowMs: number;
  readonly children?: ReactNode;
}

/** A commit as an item of a list: its id, which links to its page, first line, author and time. */
export function CommitItem({ commit, nowMs, children }: CommitItemProps) {
  const { id, repository, message, author, atMs, url } = commit;
  const [firstLine = ""] = message?.split("\n", 1) ?? [];
  const href = safeHref(url);
  const code = <code>{id.slice(0, ID_CHARS)}</code>;
  return (
    <li>
      {href === undefined ? (
        code
      ) : (
        <a href={href} rel="noreferrer">
          {code}
        </a>
      )}{" "}
      <bdi>{abbreviate(firstLine, MESSAGE_CHARS)}</bdi>
      <small className="muted">
        {repository !== undefined && (
          <>
            {" "}
            <bdi>{abbreviate(repository, NAME_CHARS)}</bdi>
          </>
        )}
        {author !== undefined && (
          <>
            {" by "}
            <bdi>{abbreviate(author, NAME_CHARS)}</bdi>
          </>
        )}
        {atMs !== undefined && (
          <>
            {" "}
            <RelativeTime atMs={atMs} nowMs={nowMs} />
          </>
        )}
      </small>
      {children}
    </li>
  );
}

/** Releases that tools have named, without a report or session yet. */
export function ReleasesWithoutReports({
  releases,
  nowMs,
}: {
  releases: readonly ReleaseFacts[];
  nowMs: number;
}) {
  if (releases.length === 0) return null;
  return (
    <section aria-labelledby="without-reports">
      <h2 id="without-reports">Without reports</h2>
      <ul className="release-facts">
        {releases.map((facts) => (
          <li key={facts.version}>
            <DeskLink href={toReleaseUrl(facts.version)}>
              <bdi>{abbreviate(facts.version, NAME_CHARS)}</bdi>
            </DeskLink>{" "}
            <small className="muted">
              <LastDeploy facts={facts} nowMs={nowMs} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
