/** Where a person is signed in, and how that is ended. */
import { use } from "react";
import { parseBrowserName } from "../../core/report/browser-name.ts";
import { Boundary } from "../failure/boundary.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { SettingsEntry } from "../settings/entry.tsx";
import { SettingsSection } from "../settings/section.tsx";

/** What the section is made of. */
export interface SessionsProps {
  readonly sessions: readonly ProfileSession[];
  /** When each session was last used, by its id. */
  readonly lastUsed: Promise<Readonly<Record<string, number>>>;
  readonly nowMs: number;
}

/** A browser that the person has signed in with. */
export interface ProfileSession {
  readonly id: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  readonly userAgent: string;
  /** The one that looks at this page. */
  readonly isCurrent: boolean;
}

/** The section. */
export function Sessions({ sessions, lastUsed, nowMs }: SessionsProps) {
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <SettingsSection
      id="sessions"
      name="Where you are signed in"
      description="A session ends after 30 days. One that you do not know: end it, and make new recovery codes."
    >
      <Boundary name="sessions" loading={<Skeleton shape="receipt" label="your sessions" />}>
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
  const name = parseBrowserName(userAgent) ?? "A browser without a name";
  const system = parseSystem(userAgent);
  return (
    <SettingsEntry
      name={<bdi title={userAgent}>{system === undefined ? name : `${name} on ${system}`}</bdi>}
      badge={isCurrent && <span className="badge">this one</span>}
      facts={[
        !isCurrent && (
          <>
            last used <RelativeTime atMs={lastUsedMs} nowMs={nowMs} />
          </>
        ),
        <>
          began <RelativeTime atMs={createdMs} nowMs={nowMs} />
        </>,
        <>
          ends <UntilTime atMs={expiresMs} nowMs={nowMs} />
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

/** First match wins: what an iPhone says of itself has a Mac in it, and Android's a Linux. */
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
