import { describe, expect, it } from "vitest";
import { connectProject, OBJECTS, type ObjectKind } from "#src/store/objects.ts";
import { connect } from "#src/store/remote.ts";
import { bindings } from "#support/store/store.ts";

class Counter {
  count = 0;
  add(n: number): number {
    this.count += n;
    return this.count;
  }
  wait(): Promise<void> {
    return new Promise(() => undefined);
  }
}

/** A connection to a counter, and the number of its stubs. */
function createConnection(timeoutMs: number | null = 20) {
  const counter = new Counter();
  const stubs: object[] = [];
  const open = () => {
    const stub = Object.create(counter) as Counter;
    stubs.push(stub);
    return stub;
  };
  return { remote: connect<Counter>(open, { timeoutMs, timeoutsMs: { add: null } }), stubs };
}

describe("a call to an object", () => {
  it("resolves to the result of the method", async () => {
    const { remote } = createConnection();
    expect(await remote.add(2)).toBe(2);
  });

  it("has a stub of its own, because a stub is unusable after an exception", async () => {
    const { remote, stubs } = createConnection();
    await remote.add(1);
    await remote.add(1);
    expect(stubs).toHaveLength(2);
  });

  it("rejects after the time limit of its method", async () => {
    const { remote } = createConnection();
    await expect(remote.wait()).rejects.toThrow("no response within 20 ms");
  });

  it("rejects if its stub cannot be opened", async () => {
    const open = () => {
      throw new Error("no such binding");
    };
    const remote = connect<Counter>(open, { timeoutMs: null });
    await expect(remote.add(1)).rejects.toThrow("no such binding");
  });
});

it("a connection can be the result of an async function, which does not call it", async () => {
  const { remote, stubs } = createConnection();
  const awaited = await Promise.resolve(remote);
  expect(await awaited.add(1)).toBe(1);
  expect(stubs).toHaveLength(1);
});

describe("every object of the table", () => {
  const kinds = Object.keys(OBJECTS) as ObjectKind[];

  it.each(kinds)("is bound, and answers a call: %s", async (kind) => {
    const objects = connectProject(() => bindings, { project: "1" });
    const object = kind === "log" ? objects.log("0") : objects[kind];
    expect(await object.getVersion()).toMatchObject({ state: { kind: "ready" } });
  });
});
