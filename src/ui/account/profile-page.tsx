/** What people see and change of themselves. */

import type { Person } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { FormError } from "../parts/form-error.tsx";
import { UntilTime } from "../parts/time.tsx";
import { SettingsSection } from "../settings/section.tsx";
import { Passkeys } from "./passkey-list.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { Sessions, type SessionsProps } from "./session-list.tsx";

/** What the page is made of. */
export interface ProfilePageProps extends SessionsProps {
  /** Undefined for whoever is local, and has nothing to change. */
  readonly person: Person | undefined;
  /** Signed in through Cloudflare Access, which also signs out. */
  readonly isThroughAccess: boolean;
  /** Recovery codes that were made just now: they are shown once. */
  readonly newRecoveryCodes: readonly string[];
  /** Why what was asked for was not done. */
  readonly error?: string | undefined;
}

/** The page at `/profile`. */
export function ProfilePage(props: ProfilePageProps) {
  const { person, isThroughAccess, sessions, lastUsed, newRecoveryCodes, error, nowMs } = props;
  if (person === undefined) return <LocalAccessNote />;
  const { name, passkeys, recoveryCodeHashes } = person;
  const current = sessions.find(({ isCurrent }) => isCurrent);
  return (
    <div className="settings-page">
      <header className="page-header">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p>What you sign in with, and where you are signed in.</p>
      </header>
      <FormError message={error} />
      {current !== undefined && passkeys.length === 0 && (
        <NoPasskeyWarning expiresMs={current.expiresMs} nowMs={nowMs} />
      )}
      {isThroughAccess ? (
        <AccessSection access={person.accessName} />
      ) : (
        <>
          <Passkeys passkeys={passkeys} nowMs={nowMs} />
          <RecoveryCodes remaining={recoveryCodeHashes.length} newCodes={newRecoveryCodes} />
        </>
      )}
      <NameForm name={name} />
      {sessions.length > 0 && <Sessions sessions={sessions} lastUsed={lastUsed} nowMs={nowMs} />}
    </div>
  );
}

/** Whoever has come by a code has nothing to come back by. */
function NoPasskeyWarning({ expiresMs, nowMs }: { expiresMs: number; nowMs: number }) {
  return (
    <p className="callout">
      <b>Add a passkey now.</b> The code that let you in is used up, and this session ends on{" "}
      <UntilTime atMs={expiresMs} nowMs={nowMs} />: without a passkey or a recovery code you cannot
      come back by yourself.
    </p>
  );
}

/** Who sits at the machine that runs Errata, where that is enough. */
function LocalAccessNote() {
  return (
    <article className="prose">
      <h1>You</h1>
      <p>
        You sit at the machine that runs this Errata, and <code>ERRATA_LOCAL</code> lets everybody
        in there, as an owner of everything. There is nothing to sign in with, or out of.
      </p>
    </article>
  );
}

function AccessSection({ access }: { access: string | undefined }) {
  return (
    <SettingsSection
      id="access"
      name="Cloudflare Access"
      description="It signs you in, and knows how; Errata keeps no session of yours."
    >
      <div className="form-row-inline">
        {access !== undefined && (
          <p>
            It knows you as <bdi>{access}</bdi>.
          </p>
        )}
        <a href="/cdn-cgi/access/logout">Sign out of Cloudflare Access</a>
      </div>
    </SettingsSection>
  );
}

function NameForm({ name }: { name: string }) {
  return (
    <SettingsSection id="name" name="Your name" description="Others see it beside what you do.">
      <form method="post" action="/profile#name" className="form-row-inline">
        <input type="hidden" name="do" value="rename-person" />
        <label>
          <span className="visually-hidden">Your name</span>
          <input
            name="name"
            type="text"
            required
            maxLength={limits.maxPersonNameChars}
            defaultValue={name}
            autoComplete="name"
            dir="auto"
          />
        </label>
        <button type="submit">Rename</button>
      </form>
    </SettingsSection>
  );
}
