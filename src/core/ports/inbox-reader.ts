/** Who reads an inbox: by which name, and since when. Pure. */

import { type Actor, findGrant, findPerson } from "../accounts/actors.ts";
import { LOCAL_ASSIGNEE } from "../accounts/names.ts";
import type { RegistryState } from "../accounts/registry.ts";
import { LOCAL_PERSON } from "../alerts/preferences.ts";
import type { InboxReader } from "./alerts-port.ts";

/** The reader of an inbox, with the key of what the person has read. */
export interface InboxPerson extends InboxReader {
  readonly person: string;
}

/**
 * The person behind an actor, in a project; a program that a person connected reads for that
 * person. Null for API tokens, which are nobody's, and without a registry.
 */
export function findInboxPerson(
  registry: RegistryState | null,
  actor: Actor,
  project: string,
  nowMs: number,
): InboxPerson | null {
  if (actor.kind === "local") return { person: LOCAL_PERSON, name: LOCAL_ASSIGNEE, sinceMs: 0 };
  if (registry === null) return null;
  const id =
    actor.kind === "token"
      ? findGrant(registry, actor.hash, nowMs)?.person
      : findPerson(registry, actor, nowMs)?.id;
  const person = registry.people.find((one) => one.id === id);
  const membership = registry.memberships.find(
    (one) => one.person === id && one.project === project,
  );
  if (person === undefined || membership === undefined) return null;
  const { joinedMs: sinceMs = person.createdMs } = membership;
  return { person: person.id, name: person.name, sinceMs };
}
