/** Starts the session of a person who signs in, within the limits of sessions. */
import { limits } from "../limits.ts";
import { ok, type Result } from "../result.ts";
import type { RegistryChangeDeps, RegistryChangeResult } from "./change-types.ts";
import type { Person, RegistryState, Session } from "./registry.ts";

/** Lifetime of a session. */
export const SESSION_MS = 30 * 86_400_000;

export interface SignInClient {
  readonly userAgent: string;
  readonly previousSession?: string | undefined;
}

/**
 * Adds a session of `person` and ends the client's previous one. The oldest sessions end if the
 * person or the registry has too many. `action` is for the audit log.
 */
export function startSession(
  registry: RegistryState,
  person: Person,
  { userAgent, previousSession }: SignInClient,
  { nowMs, newSecret, action }: RegistryChangeDeps & { readonly action?: string },
): Result<RegistryChangeResult, never> {
  const session = {
    id: newSecret(),
    person: person.id,
    createdMs: nowMs,
    expiresMs: nowMs + SESSION_MS,
    userAgent,
  };
  const otherSessions = registry.sessions.filter(({ id }) => id !== previousSession);
  const personSessions = otherSessions.filter((one) => one.person === person.id);
  // The oldest sessions end.
  const ended = new Set(
    personSessions.slice(0, Math.max(0, personSessions.length + 1 - limits.maxSessionsPerPerson)),
  );
  const kept = [...otherSessions.filter((one) => !ended.has(one)), session];
  return ok({
    registry: { ...registry, sessions: limitSessions(kept) },
    subject: person.name,
    personId: person.id,
    sessionId: session.id,
    ...(action !== undefined && { action }),
  });
}

/** Ends the oldest session of the person with the most sessions, if there are too many. */
function limitSessions(sessions: readonly Session[]): readonly Session[] {
  if (sessions.length <= limits.maxSessions) return sessions;
  const counts = new Map<string, number>();
  for (const { person } of sessions) counts.set(person, (counts.get(person) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const ended = sessions.find(({ person }) => counts.get(person) === most);
  return sessions.filter((one) => one !== ended);
}
