/** The page at `/profile`: sign-in methods, name and sessions of the signed-in person. */
import { use } from "react";
import { hasSignInMethod } from "../../core/accounts/profile-changes.ts";
import type { Passkey, Person } from "../../core/accounts/registry.ts";
import { limits } from "../../core/limits.ts";
import { parseBrowserName } from "../../core/request/browser-name.ts";
import { SIGN_IN_PATH } from "../../core/scrubbing/own-secrets.ts";
import { Boundary } from "../failure/boundary.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { FormError } from "../parts/form-error.tsx";
import { pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { ChangeForm, ChangeNameField } from "../settings/change-form.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { ALERT_PREFERENCES_URL } from "../urls/alert-urls.ts";
import { PasskeyPrompt } from "./needs-script.tsx";
import { Programs, type ProgramsProps } from "./programs.tsx";

interface ProfilePageProps extends SessionsProps, Pick<ProgramsProps, "programs"> {
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
  const { person, isThroughAccess, sessions, programs, lastUsed, nowMs } = props;
  const { newRecoveryCodes, error } = props;
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
      {current !== undefined && !hasSignInMethod(person) && (
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
      <Programs programs={programs} lastUsed={lastUsed} nowMs={nowMs} />
      {sessions.length > 0 && <Sessions sessions={sessions} lastUsed={lastUsed} nowMs={nowMs} />}
    </div>
  );
}

/** A warning to people who signed in with a code and cannot sign in again. */
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
      <ChangeForm change="rename-person" section="name" className="form-row-inline">
        <ChangeNameField
          change="rename-person"
          label="Your name"
          isLabelHidden
          defaultValue={name}
          autoComplete="name"
        />
        <button type="submit">Rename</button>
      </ChangeForm>
    </SettingsSection>
  );
}

/** The passkeys. A script adds them, because the browser creates them. Signing in with a code leads to it. */
function Passkeys({
  passkeys,
  mayChange,
  nowMs,
}: {
  readonly passkeys: readonly Passkey[];
  /** False if adding or removing one needs another sign-in. */
  readonly mayChange: boolean;
  readonly nowMs: number;
}) {
  return (
    <SettingsSection
      id="passkeys"
      name="Passkeys"
      description="Sign in with your fingerprint, face or PIN. Add one passkey for each device, unless your devices share them."
    >
      {passkeys.length > 0 && (
        <ul className="entries">
          {passkeys.map(({ id, name, createdMs }) => (
            <SettingsEntry
              key={id}
              name={<bdi>{name}</bdi>}
              facts={[
                <>
                  added <RelativeTime atMs={createdMs} nowMs={nowMs} />
                </>,
              ]}
            >
              {mayChange && (
                <ChangeForm change="remove-passkey" section="passkeys" className="entry-actions">
                  <input type="hidden" name="passkey" value={id} />
                  <button type="submit" className="danger" aria-label={`Remove ${name}`}>
                    Remove
                  </button>
                </ChangeForm>
              )}
            </SettingsEntry>
          ))}
        </ul>
      )}
      {mayChange ? (
        passkeys.length < limits.maxPasskeysPerPerson && (
          <NewPasskeyForm isFirst={passkeys.length === 0} />
        )
      ) : (
        <div className="form-row-inline">
          <SignInAgain purpose="add or remove passkeys" />
        </div>
      )}
    </SettingsSection>
  );
}

function NewPasskeyForm({ isFirst }: { isFirst: boolean }) {
  return (
    <PasskeyPrompt
      optionsUrl="/profile/passkeys/options"
      responseUrl="/profile/passkeys"
      noScriptText="Passkeys need JavaScript, which is not running on this page."
      className="form-row-inline"
    >
      <label>
        <span>Device name</span>
        <input
          name="name"
          type="text"
          maxLength={limits.maxPersonNameChars}
          placeholder="Laptop"
          autoComplete="off"
          dir="auto"
        />
      </label>
      <button type="button" className={isFirst ? "main-button" : undefined}>
        Add passkey
      </button>
    </PasskeyPrompt>
  );
}

/** The recovery codes. `newCodes` were just created; of older codes only their number is known. */
function RecoveryCodes({
  remaining,
  newCodes,
  mayCreate,
}: {
  readonly remaining: number;
  readonly newCodes: readonly string[];
  /** False if creating codes needs another sign-in. */
  readonly mayCreate: boolean;
}) {
  return (
    <SettingsSection
      id="recovery-codes"
      name="Recovery codes"
      description="Sign in with a recovery code if you do not have your passkey. Each code works once."
    >
      {newCodes.length > 0 && <NewCodes codes={newCodes} />}
      <ChangeForm change="new-recovery-codes" section="recovery-codes" className="form-row-inline">
        <p>{remaining === 0 ? "No recovery codes." : `${pluralize(remaining, "code")} left.`}</p>
        {mayCreate ? (
          <button type="submit" id="new-codes">
            {remaining === 0 ? "Create codes" : "Create new codes"}
          </button>
        ) : (
          <SignInAgain purpose="create codes" />
        )}
        {mayCreate && remaining > 0 && (
          <p className="muted">Your current codes will stop working.</p>
        )}
      </ChangeForm>
    </SettingsSection>
  );
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="one-time-secret codes">
      <h3>Your recovery codes</h3>
      <p>Print this page or store the codes in a password manager. They will not be shown again.</p>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p>
        <CopyButton text={codes.join("\n")} label="all recovery codes" />
      </p>
    </div>
  );
}

/** In place of a form that needs a recent sign-in: `purpose` completes "To …, sign in again." The sign-in page returns to the profile. */
function SignInAgain({ purpose }: { purpose: string }) {
  return (
    <p>
      To {purpose}, <a href={`${SIGN_IN_PATH}?again=1&returnTo=%2Fprofile`}>sign in again</a>.
    </p>
  );
}

interface SessionsProps {
  readonly sessions: readonly ProfileSession[];
  /** When each session and program was last used, by its id. */
  readonly lastUsed: Promise<Readonly<Record<string, number>>>;
  readonly nowMs: number;
}

/** A session in one browser. */
interface ProfileSession {
  readonly id: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly userAgent: string;
  /** True for the session of this request. */
  readonly isCurrent: boolean;
}

/** The sessions, with forms to end them. */
function Sessions({ sessions, lastUsed, nowMs }: SessionsProps) {
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <SettingsSection
      id="sessions"
      name="Sessions"
      description="Sessions end after 30 days. If you do not recognize one, end it and create new recovery codes."
    >
      <Boundary name="sessions" loading={<Skeleton shape="text" label="sessions" />}>
        <SessionList sessions={sessions} lastUsed={lastUsed} nowMs={nowMs} />
      </Boundary>
      <div className="form-row-inline">
        <form method="post" action="/sign-out">
          <button type="submit">Sign out</button>
        </form>
        {others.length > 0 && (
          <ChangeForm change="end-sessions" section="sessions">
            <button type="submit" className="danger">
              Sign out everywhere else
            </button>
          </ChangeForm>
        )}
      </div>
    </SettingsSection>
  );
}

function SessionList({ sessions, lastUsed: uses, nowMs }: SessionsProps) {
  const lastUsed = use(uses);
  const usedMs = ({ id, createdMs }: ProfileSession) => lastUsed[id] ?? createdMs;
  const sorted = [...sessions].sort(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || usedMs(b) - usedMs(a),
  );
  return (
    <ul className="entries">
      {sorted.map((session) => (
        <SessionEntry
          key={session.id}
          session={session}
          lastUsedMs={usedMs(session)}
          nowMs={nowMs}
        />
      ))}
    </ul>
  );
}

function SessionEntry({
  session: { id, userAgent, createdMs, expiresMs, isCurrent },
  lastUsedMs,
  nowMs,
}: {
  session: ProfileSession;
  lastUsedMs: number;
  nowMs: number;
}) {
  const name = parseBrowserName(userAgent) ?? "Unknown browser";
  const system = parseSystem(userAgent);
  return (
    <SettingsEntry
      name={<bdi title={userAgent}>{system === undefined ? name : `${name} on ${system}`}</bdi>}
      badge={isCurrent && <span className="badge">this session</span>}
      facts={[
        !isCurrent && (
          <>
            last used <RelativeTime atMs={lastUsedMs} nowMs={nowMs} />
          </>
        ),
        <>
          signed in <RelativeTime atMs={createdMs} nowMs={nowMs} />
        </>,
        <>
          expires <UntilTime atMs={expiresMs} nowMs={nowMs} />
        </>,
      ]}
    >
      {!isCurrent && (
        <ChangeForm change="end-session" section="sessions" className="entry-actions">
          <input type="hidden" name="session" value={id} />
          <button type="submit" className="danger" aria-label={`End the session of ${name}`}>
            End
          </button>
        </ChangeForm>
      )}
    </SettingsEntry>
  );
}

/** The first match applies: iPhones also name Mac OS X, and Android also names Linux. */
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Windows", /Windows NT/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["macOS", /Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

function parseSystem(userAgent: string): string | undefined {
  return SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
