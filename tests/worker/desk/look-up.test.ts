import { describe, expect, it } from "vitest";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { lookUp } from "../../../src/http/desk/lookup/look-up.ts";
import { desk } from "../../support/store.ts";

const DIGEST = "7F3K-Q2M9";

/** A project store that never responds, and its calls. */
function createSilentStore() {
  const calls: string[] = [];
  const hang = (call: string) => () => {
    calls.push(call);
    return new Promise<never>(() => undefined);
  };
  const store: ProjectStore = {
    ...desk,
    getFreshIssue: hang("issue"),
    findIssuesByAlias: hang("aliases"),
  };
  return { store, calls };
}

describe("the lookup of a digest", () => {
  it("reads the digest and its possible aliases in parallel", () => {
    const { store, calls } = createSilentStore();
    void lookUp(store, DIGEST);
    expect(calls).toEqual(["issue", "aliases"]);
  });

  it("does not read the digest again if it was just read", () => {
    const { store, calls } = createSilentStore();
    void lookUp(store, DIGEST, DIGEST);
    expect(calls).toEqual(["aliases"]);
  });
});
