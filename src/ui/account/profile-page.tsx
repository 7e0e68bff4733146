/** The page at `/profile`: sign-in methods, name and sessions of the signed-in person. */

import type { Person } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { UntilTime } from "../parts/time.tsx";
import { NameField } from "../settings/name-field.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { ALERT_PREFERENCES_URL } from "../urls/alert-urls.ts";
import { Passkeys } from "./passkey-list.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { Sessions, type SessionsProps } from "./session-list.tsx";

interface ProfilePageProps extends SessionsProps {
  /** Undefined under `ERRATA_LOCAL`. */
  readonly person: Person | undefined;
  /** True if Cloudflare Access signs the person in and out. */
  readonly isThroughAccess: boolean;
  /** False if changing passkeys or codes needs another sign-in. */
  readonly mayChangeCredentials: boolean;
  /** Recovery codes that were just created; they are shown once. */
  readonly newRecoveryCodes: readonly string[];
  /** Why the last change was rejected. */
  readonly error?: string | undefined;
}

export function ProfilePage(props: ProfilePageProps) {
  const { person, isThroughAccess, sessions, lastUsed, newRecoveryCodes, error, nowMs } = props;
  const { mayChangeCredentials: mayChange } = props;
  if (person === undefined) return <LocalAccessNote />;
  const { name, passkeys, recoveryCodeHashes } = person;
  const current = sessions.find(({ isCurrent }) => isCurrent);
  return (
    <div className="settings-page">
      <header className="page-header">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p>
          Your sign-in methods and sessions. See also{" "}
          <DeskLink href={ALERT_PREFERENCES_URL}>your alerts</DeskLink>.
        </p>
      </header>
      <FormError message={error} />
      {current !== undefined && passkeys.length === 0 && (
        <NoPasskeyWarning expiresMs={current.expiresMs} nowMs={nowMs} />
      )}
      {isThroughAccess ? (
        <AccessSection access={person.accessName} />
      ) : (
        <>
          <Passkeys passkeys={passkeys} mayChange={mayChange} nowMs={nowMs} />
          <RecoveryCodes
            remaining={recoveryCodeHashes.length}
            newCodes={newRecoveryCodes}
            mayCreate={mayChange}
          />
        </>
      )}
      <NameForm name={name} />
      {sessions.length > 0 && <Sessions sessions={sessions} lastUsed={lastUsed} nowMs={nowMs} />}
    </div>
  );
}

/** A warning to people who signed in with a code and have no passkey. */
function NoPasskeyWarning({ expiresMs, nowMs }: { expiresMs: number; nowMs: number }) {
  return (
    <p className="callout">
      <b>Add a passkey now.</b> Your sign-in code has been used, and this session ends on{" "}
      <UntilTime atMs={expiresMs} nowMs={nowMs} />. Without a passkey or a recovery code you cannot
      sign in again.
    </p>
  );
}

/** The page under `ERRATA_LOCAL`, which needs no sign-in. */
function LocalAccessNote() {
  return (
    <article className="prose">
      <h1>Local user</h1>
      <p>
        <code>ERRATA_LOCAL</code> is set, so everyone on this machine is an owner of all projects
        without signing in. See also <DeskLink href={ALERT_PREFERENCES_URL}>your alerts</DeskLink>.
      </p>
    </article>
  );
}

function AccessSection({ access }: { access: string | undefined }) {
  return (
    <SettingsSection
      id="access"
      name="Cloudflare Access"
      description="Cloudflare Access signs you in. Errata stores no session."
    >
      <div className="form-row-inline">
        {access !== undefined && (
          <p>
            Signed in as <bdi>{access}</bdi>.
          </p>
        )}
        <a href="/cdn-cgi/access/logout">Sign out of Cloudflare Access</a>
      </div>
    </SettingsSection>
  );
}

function NameForm({ name }: { name: string }) {
  return (
    <SettingsSection id="name" name="Your name" description="Shown to others next to your actions.">
      <form method="post" action="/profile#name" className="form-row-inline">
        <input type="hidden" name="do" value="rename-person" />
        <NameField
          label="Your name"
          isLabelHidden
          maxLength={limits.maxPersonNameChars}
          defaultValue={name}
          autoComplete="name"
        />
        <button type="submit">Rename</button>
      </form>
    </SettingsSection>
  );
}
