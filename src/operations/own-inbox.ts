/** Reads the inbox of the caller, as the person who the caller is or works for. */

import type { AlertInbox } from "../core/ports/alerts-port.ts";
import { findInboxPerson, type InboxPerson } from "../core/ports/inbox-reader.ts";
import type { Call, OperationServices } from "./operation.ts";

/** The person whose inbox the caller reads; null for API tokens. */
export async function findReader(
  { caller, services }: Pick<Call, "caller" | "services">,
  project: string,
): Promise<InboxPerson | null> {
  const registry = await services.registry.readCopy();
  return findInboxPerson(registry, caller.actor, project, services.nowMs());
}

/** The inbox of the caller in a project, by default that of the call. */
export async function readOwnInbox(
  call: Call,
  { alerts }: Pick<OperationServices, "alerts"> = call.services,
  project = call.project,
): Promise<AlertInbox> {
  const reader = await findReader(call, project);
  if (reader === null) return alerts.readInbox("");
  const { person, name, sinceMs } = reader;
  return alerts.readInbox(person, { name, sinceMs });
}
