import { describe, expect, it } from "vitest";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import { lookUp } from "../../../src/http/desk/lookup/look-up.ts";
import { desk } from "../../support/store.ts";

const DIGEST = "7F3K-Q2M9";

/** A project store that never answers, and its calls. */
function silentDesk() {
  const asked: string[] = [];
  const never = (what: string) => () => {
    asked.push(what);
    return new Promise<never>(() => undefined);
  };
  const silent: ProjectStore = {
    ...desk,
    getFreshIssue: never("issue"),
    findIssuesByAlias: never("aliases"),
  };
  return { silent, asked };
}

describe("a digest that is looked up", () => {
  it("is asked for in the time in which others are that it leads to", () => {
    const { silent, asked } = silentDesk();
    void lookUp(silent, DIGEST);
    expect(asked).toEqual(["issue", "aliases"]);
  });

  it("is not asked for again when it has just been asked for", () => {
    const { silent, asked } = silentDesk();
    void lookUp(silent, DIGEST, DIGEST);
    expect(asked).toEqual(["aliases"]);
  });
});
