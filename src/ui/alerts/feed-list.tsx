/** Atom feeds of saved views. Each has a separate address that works without sign-in. */
import type { ListedView } from "../../core/issue/issue-query.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { OneTimeSecret } from "../settings/one-time-secret.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { toAlertFormUrl } from "../urls/alert-urls.ts";

/** The section. `issuedUrl` is an address that was just created. */
export function FeedList({
  views,
  issuedUrl,
}: {
  /** Null while the index is unavailable. */
  views: readonly ListedView[] | null;
  issuedUrl?: string | undefined;
}) {
  return (
    <SettingsSection
      id="feeds"
      name="Feeds"
      description="An Atom feed per saved view. Everyone who knows its address can read it."
    >
      {views === null && <p className="muted">Saved views are temporarily unavailable.</p>}
      {views?.length === 0 && (
        <p className="muted">Save a view of the issue list to create a feed for it.</p>
      )}
      {issuedUrl !== undefined && (
        <OneTimeSecret
          name="Address of the feed"
          hint="Add this address to your feed reader. It will not be shown again."
          text={issuedUrl}
          copyLabel="the address"
        />
      )}
      <ul className="entries">
        {views?.map(({ name, query, hasFeed }) => (
          <SettingsEntry
            key={name}
            name={<bdi>{name}</bdi>}
            badge={hasFeed && <span className="badge">feed</span>}
            facts={[query === "" ? "all issues" : <code key="query">{query}</code>]}
          >
            <div className="entry-actions">
              <FeedForm view={name} action="create">
                {hasFeed ? "New address" : "Create address"}
              </FeedForm>
              {hasFeed && (
                <FeedForm view={name} action="revoke">
                  Revoke
                </FeedForm>
              )}
            </div>
          </SettingsEntry>
        ))}
      </ul>
    </SettingsSection>
  );
}

function FeedForm({
  view,
  action,
  children,
}: {
  view: string;
  action: "create" | "revoke";
  children: string;
}) {
  return (
    <DeskForm requiredRole="owner" method="post" action={toAlertFormUrl("feeds")}>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="view" value={view} />
      <button
        type="submit"
        className={action === "revoke" ? "danger" : undefined}
        aria-label={`${children}: ${view}`}
      >
        {children}
      </button>
    </DeskForm>
  );
}
