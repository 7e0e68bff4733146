/** The alerts of a project in the Worker: calls to its alert sender. */
import type { Bindings } from "../../bindings.ts";
import type { AlertStore } from "../../core/ports/alerts-port.ts";
import { createAlertSenderStub, type StubOptions } from "../rpc/stubs.ts";
import { withTimeout } from "../with-timeout.ts";

/** A page waits at most this long; a test message takes up to ten seconds. */
const READ_TIMEOUT_MS = 5_000;

/** The alerts of one project. */
export function createAlertClient(
  bindings: Pick<Bindings, "ALERT_SENDER">,
  options: StubOptions,
): AlertStore {
  const stub = () => createAlertSenderStub(bindings, options);
  const read = <T>(call: Promise<T>) => withTimeout(call, READ_TIMEOUT_MS);
  return {
    readSettings: () => read(stub().readSettings()),
    saveRule: (rule, origin) => stub().saveRule(rule, origin),
    deleteRule: (id) => stub().deleteRule(id),
    saveDestination: (destination, origin) => stub().saveDestination(destination, origin),
    deleteDestination: (id, undoId) => stub().deleteDestination(id, undoId),
    restoreDestination: (undoId, person) => stub().restoreDestination(undoId, person),
    enableDestination: (id, person) => stub().enableDestination(id, person),
    setSummary: (id, every, person) => stub().setSummary(id, every, person),
    rotateSecret: (id, secret) => stub().rotateSecret(id, secret),
    saveRepository: (text, origin) => stub().saveRepository(text, origin),
    sendTest: (destination) => stub().sendTest(destination),
    listDeliveries: () => read(stub().listDeliveries()),
    listHeldBack: () => read(stub().listHeldBack()),
    sendAgain: (message) => stub().sendAgain(message),
    sendWaiting: (destination) => stub().sendWaiting(destination),
    readInbox: (person) => read(stub().readInbox(person)),
    readMarks: (person) => read(stub().readMarks(person)),
    markRead: (person, upTo) => stub().markRead(person, upTo),
    verifyAction: (action) => read(stub().verifyAction(action)),
    verifyAddress: (link) => read(stub().verifyAddress(link)),
    confirmAddress: (link) => stub().confirmAddress(link),
    removePerson: (person) => stub().removePerson(person),
    readPreferences: (person) => read(stub().readPreferences(person)),
    savePreferences: (person, preferences) => stub().savePreferences(person, preferences),
  };
}
