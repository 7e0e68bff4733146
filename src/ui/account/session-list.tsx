/** The sessions of a person, with forms to end them. */
import { use } from "react";
import { parseBrowserName } from "../../core/request/browser-name.ts";
import { Boundary } from "../failure/boundary.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";

export interface SessionsProps {
  readonly sessions: readonly ProfileSession[];
  /** When each session was last used, by its id. */
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

export function Sessions({ sessions, lastUsed, nowMs }: SessionsProps) {
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
          <form method="post" action="/profile#sessions">
            <input type="hidden" name="do" value="end-sessions" />
            <button type="submit" className="danger">
              Sign out everywhere else
            </button>
          </form>
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
        <form method="post" action="/profile#sessions" className="entry-actions">
          <input type="hidden" name="do" value="end-session" />
          <input type="hidden" name="session" value={id} />
          <button type="submit" className="danger" aria-label={`End the session of ${name}`}>
            End
          </button>
        </form>
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
