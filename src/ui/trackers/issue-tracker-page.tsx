/** The page on which a member creates an issue in a tracker, or links one. */
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import { type IssueTracker, MAX_LINK_CHARS } from "../../core/issue/tracker-link.ts";
import type { Digest } from "../../core/report.ts";
import type { TrackerSummary } from "../../core/trackers/tracker.ts";
import { getTrackerKind } from "../../core/trackers/trackers.ts";
import { DeskForm, DeskLink } from "../parts/desk-context.tsx";
import { TrackerLinkText } from "../parts/tracker-link.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { TRACKER_SETTINGS_URL, toIssueTrackerUrl } from "../urls/tracker-urls.ts";

interface IssueTrackerPageProps {
  readonly digest: Digest;
  /** The link that the issue has. */
  readonly tracker: IssueTracker | undefined;
  /** Null while the object of alerts is unavailable. */
  readonly trackers: readonly TrackerSummary[] | null;
  /** What a new issue would have, as Markdown. */
  readonly draft: { readonly title: string; readonly body: string };
}

export function IssueTrackerPage({ digest, tracker, trackers, draft }: IssueTrackerPageProps) {
  return (
    <article className="issue-tracker-page">
      <h1>
        Tracker of <DeskLink href={toIssueUrl(digest)}>{digest}</DeskLink>
      </h1>
      {tracker === undefined ? (
        <>
          <NewIssue digest={digest} trackers={trackers} draft={draft} />
          <LinkForm digest={digest} />
        </>
      ) : (
        <Linked digest={digest} tracker={tracker} />
      )}
    </article>
  );
}

function Linked({ digest, tracker }: { digest: Digest; tracker: IssueTracker }) {
  return (
    <section aria-labelledby="linked">
      <h2 id="linked">Linked</h2>
      <p>
        <TrackerLinkText tracker={tracker} />
      </p>
      <p className="muted">
        {tracker.tracker === undefined
          ? "A plain link: Errata does not follow it."
          : "Both stay in the same state: what is closed on one side is resolved on the other."}
      </p>
      <DeskForm
        requiredRole={REQUIRED_ROLES.triage}
        method="post"
        action={toIssueTrackerUrl(digest)}
      >
        <button type="submit" name="do" value="unlink">
          Unlink
        </button>
      </DeskForm>
    </section>
  );
}

function NewIssue({
  digest,
  trackers,
  draft: { title, body },
}: Pick<IssueTrackerPageProps, "digest" | "trackers" | "draft">) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">New issue</h2>
      {trackers === null && <p className="muted">The trackers are temporarily unavailable.</p>}
      {trackers?.length === 0 && (
        <p className="callout">
          <b>No tracker is connected.</b> An owner can add one in{" "}
          <DeskLink href={TRACKER_SETTINGS_URL}>the settings</DeskLink>.
        </p>
      )}
      {trackers !== null && trackers.length > 0 && (
        <>
          <p>
            Errata sends the following text. Everybody who can read the tracker can read it. It has
            no data of requests.
          </p>
          <div className="tracker-draft">
            <p dir="auto">
              <b>{title}</b>
            </p>
            <pre dir="ltr">{body}</pre>
          </div>
          <div className="entry-actions">
            {trackers.map(({ id, kind, project }) => (
              <DeskForm
                key={id}
                requiredRole={REQUIRED_ROLES.triage}
                method="post"
                action={toIssueTrackerUrl(digest)}
              >
                <input type="hidden" name="do" value="create" />
                <button type="submit" name="tracker" value={id}>
                  Create in {getTrackerKind(kind).label}, <bdi>{project}</bdi>
                </button>
              </DeskForm>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

function LinkForm({ digest }: { digest: Digest }) {
  return (
    <section aria-labelledby="link">
      <h2 id="link">Known issue</h2>
      <DeskForm
        requiredRole={REQUIRED_ROLES.triage}
        method="post"
        action={toIssueTrackerUrl(digest)}
        className="form-row-inline"
      >
        <input type="hidden" name="do" value="link" />
        <label>
          <span>URL of the issue</span>
          <input
            name="url"
            type="url"
            required
            maxLength={MAX_LINK_CHARS}
            placeholder="https://github.com/acme/shop/issues/12"
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <button type="submit">Link</button>
      </DeskForm>
      <p className="muted">
        Errata follows issues of connected trackers. Any other URL becomes a plain link.
      </p>
    </section>
  );
}
