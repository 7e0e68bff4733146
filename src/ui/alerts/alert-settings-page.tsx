/** The page at `/settings/alerts`: destinations, rules, deliveries and feeds of a project. */
import { use } from "react";
import type { ListedView } from "../../core/issue/issue-query.ts";
import type {
  AlertSettings,
  DeliveryAttempt,
  HeldBackAlert,
} from "../../core/ports/alerts-port.ts";
import { Boundary } from "../failure/boundary.tsx";
import { SettingsFrame } from "../layout/settings-frame.tsx";
import { DeskForm, DeskLink, RequireRole } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import {
  ALERT_PREFERENCES_URL,
  ALERT_SETTINGS_URL,
  INBOX_URL,
  toAlertFormUrl,
} from "../urls/alert-urls.ts";
import { AlertHealthText } from "./alert-health.tsx";
import { DeliveryLog, HeldBackList } from "./delivery-log.tsx";
import { DestinationList } from "./destination-list.tsx";
import { FeedList } from "./feed-list.tsx";
import type { RuleDraft } from "./rule-form.tsx";
import { RuleList } from "./rule-list.tsx";

/** Everything that the page lists. */
export interface AlertSettingsData {
  readonly settings: AlertSettings;
  readonly deliveries: readonly DeliveryAttempt[];
  readonly heldBack: readonly HeldBackAlert[];
  /** Null while the index is unavailable. */
  readonly views: readonly ListedView[] | null;
}

interface AlertSettingsPageProps {
  /** Null while the object of alerts is unavailable. */
  readonly data: Promise<AlertSettingsData | null>;
  /** The secret of a webhook, or the address of a feed, that was just created. */
  readonly issued?: { readonly kind: "webhook" | "feed"; readonly text: string } | undefined;
  /** The rule of the form that was sent, if it was checked or rejected. */
  readonly draft?: RuleDraft | undefined;
  /** Why the last change was rejected, or the result of a test. */
  readonly error?: string | undefined;
  readonly nowMs: number;
}

export function AlertSettingsPage({ error, ...loaded }: AlertSettingsPageProps) {
  return (
    <SettingsFrame
      current={ALERT_SETTINGS_URL}
      title="Alerts"
      note={
        <>
          Owners change rules and destinations. Members can send tests. Every alert is in the{" "}
          <DeskLink href={INBOX_URL}>inbox</DeskLink>. Choose what you receive on{" "}
          <DeskLink href={ALERT_PREFERENCES_URL}>your alerts</DeskLink>. See{" "}
          <a href="/docs/alerts">how alerts work</a>.
        </>
      }
    >
      <div className="alerts-page">
        <FormError message={error} />
        <Boundary name="alerts" loading={<Skeleton shape="rows" label="the alerts" />}>
          <Loaded {...loaded} />
        </Boundary>
      </div>
    </SettingsFrame>
  );
}

function Loaded({ data, issued, draft, nowMs }: Omit<AlertSettingsPageProps, "error">) {
  const loaded = use(data);
  if (loaded === null) {
    return (
      <p className="warning">
        <b>Alerts are temporarily unavailable.</b> Alerts that are due are kept and sent later.
      </p>
    );
  }
  const { settings, deliveries, heldBack, views } = loaded;
  const { destinations, rules } = settings;
  return (
    <>
      <AlertHealthText settings={settings} />
      <OriginNote origin={settings.origin} />
      <DestinationList
        destinations={destinations}
        secret={issued?.kind === "webhook" ? issued.text : undefined}
        nowMs={nowMs}
      />
      <RuleList rules={rules} destinations={destinations} draft={draft} />
      <DeliveryLog attempts={deliveries} destinations={destinations} nowMs={nowMs} />
      <HeldBackList alerts={heldBack} nowMs={nowMs} />
      <RepositoryForm repository={settings.repository} />
      <FeedList views={views} issuedUrl={issued?.kind === "feed" ? issued.text : undefined} />
    </>
  );
}

/** The origin of the links in messages, and how to change it. */
function OriginNote({ origin }: { origin: string | undefined }) {
  return (
    <p className="muted">
      Links in messages begin with{" "}
      {origin === undefined ? (
        "the address at which an owner saves a rule or a destination"
      ) : (
        <code>{origin}</code>
      )}
      . To change it, set{" "}
      <a href="/docs/configuration#alerts">
        <code>ERRATA_URL</code>
      </a>
      .
    </p>
  );
}

/** The GitHub repository of a project, for links to a prefilled issue. */
function RepositoryForm({ repository }: { repository: string | undefined }) {
  return (
    <SettingsSection
      id="github"
      name="GitHub"
      description="Messages link to a prefilled issue of this repository. Errata sends nothing to GitHub."
    >
      <p>{repository === undefined ? "No repository." : <code>{repository}</code>}</p>
      <RequireRole requiredRole="owner">
        <DeskForm
          requiredRole="owner"
          method="post"
          action={toAlertFormUrl("github")}
          className="form-stack"
        >
          <input type="hidden" name="do" value="save" />
          <label>
            <span>GitHub repository</span>
            <input
              name="repository"
              type="text"
              required
              maxLength={200}
              defaultValue={repository}
              placeholder="owner/name"
              autoComplete="off"
              spellCheck={false}
            />
          </label>
          <button type="submit">Save</button>
        </DeskForm>
        {repository !== undefined && (
          <DeskForm requiredRole="owner" method="post" action={toAlertFormUrl("github")}>
            <input type="hidden" name="do" value="remove" />
            <button type="submit" className="danger">
              Remove
            </button>
          </DeskForm>
        )}
      </RequireRole>
    </SettingsSection>
  );
}
