/** Where a person is signed in, and how that is ended. */
import { use } from "react";
import { browserOf } from "../../core/browser.ts";
import { Boundary } from "../boundary.tsx";
import { Entry } from "../settings/entry.tsx";
import { SettingsSection } from "../settings/section.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Time, Until } from "../time.tsx";

/** What the section is made of. */
export interface SessionsProps {
  readonly sessions: readonly OwnSession[];
  /** When each session was last used, by its id. */
  readonly uses: Promise<Readonly<Record<string, number>>>;
  readonly nowMs: number;
}

/** A browser that the person has signed in with. */
export interface OwnSession {
  readonly id: string;
  readonly createdMs: number;
  readonly endsMs: number;
  readonly agent: string;
  /** The one that looks at this page. */
  readonly isThis: boolean;
}

/** The section. */
export function Sessions({ sessions, uses, nowMs }: SessionsProps) {
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <SettingsSection
      id="sessions"
      name="Where you are signed in"
      says="A session ends after 30 days. One that you do not know: end it, and make new recovery codes."
    >
      <Boundary name="sessions" loading={<Skeleton shape="receipt" label="your sessions" />}>
        <SessionList sessions={sessions} uses={uses} nowMs={nowMs} />
      </Boundary>
      <div className="asking-row">
        <form method="post" action="/leave">
          <button type="submit">Sign out</button>
        </form>
        {others.length > 0 && (
          <form method="post" action="/me#sessions">
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

function SessionList({ sessions, uses, nowMs }: SessionsProps) {
  const used = use(uses);
  const usedMs = ({ id, createdMs }: OwnSession) => used[id] ?? createdMs;
  const inOrder = [...sessions].sort(
    (a, b) => Number(b.isThis) - Number(a.isThis) || usedMs(b) - usedMs(a),
  );
  return (
    <ul className="entries">
      {inOrder.map((session) => (
        <SessionEntry key={session.id} of={session} usedMs={usedMs(session)} nowMs={nowMs} />
      ))}
    </ul>
  );
}

function SessionEntry({
  of: { id, agent, createdMs, endsMs, isThis },
  usedMs,
  nowMs,
}: {
  of: OwnSession;
  usedMs: number;
  nowMs: number;
}) {
  const name = browserOf(agent) ?? "A browser without a name";
  const system = systemOf(agent);
  return (
    <Entry
      name={<bdi title={agent}>{system === undefined ? name : `${name} on ${system}`}</bdi>}
      mark={isThis && <span className="mark">this one</span>}
      facts={[
        !isThis && (
          <>
            last used <Time atMs={usedMs} nowMs={nowMs} />
          </>
        ),
        <>
          began <Time atMs={createdMs} nowMs={nowMs} />
        </>,
        <>
          ends <Until atMs={endsMs} nowMs={nowMs} />
        </>,
      ]}
    >
      {!isThis && (
        <form method="post" action="/me#sessions" className="entry-acts">
          <input type="hidden" name="do" value="end-session" />
          <input type="hidden" name="session" value={id} />
          <button type="submit" className="danger" aria-label={`End the session of ${name}`}>
            End
          </button>
        </form>
      )}
    </Entry>
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

function systemOf(agent: string): string | undefined {
  return SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0];
}
