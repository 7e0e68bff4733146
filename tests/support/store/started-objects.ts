/** The Durable Objects that started since the store was emptied: only they can have stored data. */
import type { Bindings } from "#src/bindings.ts";
import type { ObjectKind } from "#src/store/objects.ts";
import { convertTimes } from "./machine-time.ts";

/** An object, by its kind and its id. */
export interface StartedObject {
  readonly kind: ObjectKind;
  readonly id: string;
}

type ObjectClass = new (ctx: DurableObjectState, env: Bindings) => object;

const started = new Map<string, StartedObject>();

/** The class, with every start of one of its objects noted, and with the clock of the tests. */
export function noteStarts<T extends ObjectClass>(kind: ObjectKind, Class: T): T {
  return new Proxy(Class, {
    construct(target, args: ConstructorParameters<ObjectClass>, newTarget) {
      const id = args[0].id.toString();
      started.set(id, { kind, id });
      convertTimes(args[0].storage, args[1].KV);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
}

/** True if an object started since the last call of `takeStartedObjects`. */
export function hasStartedObjects(): boolean {
  return started.size > 0;
}

/** Takes the objects that started since the last call. */
export function takeStartedObjects(): readonly StartedObject[] {
  const objects = [...started.values()];
  started.clear();
  return objects;
}
