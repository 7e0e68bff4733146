/** Empties the store for the next test, after its objects finished their pending writes to KV. */
import { reset, runInDurableObject } from "cloudflare:test";
import { getNamespace } from "#src/store/objects.ts";
import type { StoredObject } from "#src/store/sqlite/object.ts";
import { hasStartedObjects, type StartedObject, takeStartedObjects } from "./started-objects.ts";
import { bindings } from "./store.ts";

/**
 * Empties every binding. A later put would look like the data of a project whose objects were lost,
 * or like the copy of the registry.
 */
export async function emptyStore(): Promise<void> {
  do {
    // The work that one object finishes may start another.
    for (let ids = takeStartedObjects(); ids.length > 0; ids = takeStartedObjects()) {
      await Promise.all(ids.map((object) => settle(getStub(object))));
    }
    // `reset` keeps the values of a namespace that was stopped and not used since.
    await bindings.KV.list({ limit: 1 });
    await reset();
    // While objects are emptied one after another, a running one may call an empty one: a log sends
    // its rows to the index again. The call has arrived when KV responds.
    await bindings.KV.list({ limit: 1 });
  } while (hasStartedObjects());
}

function getStub({ kind, id }: StartedObject): DurableObjectStub {
  const namespace = getNamespace(bindings, kind);
  return namespace.get(namespace.idFromString(id));
}

/**
 * Finishes the writes of an object to KV. Wakes it: `reset` keeps the storage of objects that the
 * runtime has stopped, as it does after ten seconds without a call, and their alarms would write
 * while the bindings are emptied.
 */
async function settle(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, async (instance, { storage }) => {
    const object = instance as unknown as StoredObject;
    // A log pauses between two calls of the index, and would send rows of this test to the next.
    await object.waitUntilIdle();
    await storage.deleteAlarm();
    // The alarm may have begun before.
    await object.waitUntilIdle();
  }).catch(() => undefined);
}
