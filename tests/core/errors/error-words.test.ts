import { expect, it } from "vitest";
import { buildErrorTree } from "#src/core/errors/error-tree.ts";
import { formatBranch, formatCuts } from "#src/core/errors/error-words.ts";

const error = (type: string, over: object = {}) => ({ type, message: "", frames: [], ...over });

it("names the errors below an error", () => {
  const format = (over: object) => formatBranch(buildErrorTree(error("E", over)));
  expect(format({ causes: [error("A")] })).toBe("Caused by");
  expect(format({ causes: [error("A"), error("B", { parent: 0 })] })).toBe("Caused by (2 errors)");
  const members = [error("A"), error("B", { parent: 0 }), error("C", { parent: 2 })];
  expect(format({ causes: members, isGroup: true })).toBe("Members (2)");
});

it("says in words what was cut, and shows a name without words as it is", () => {
  expect(formatCuts(["breadcrumbs", "vars"])).toBe(
    "Cut to the limits: older breadcrumbs, local variables.",
  );
  expect(formatCuts(["toString"])).toBe("Cut to the limits: toString.");
  expect([formatCuts([]), formatCuts(undefined)]).toEqual([undefined, undefined]);
});
