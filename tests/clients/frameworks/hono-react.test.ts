import { describe, it } from "vitest";
import { openErrata } from "../errata.ts";
import { openApp } from "./app.ts";
import { WITHOUT_ADAPTER } from "./bare.ts";
import {
  ask,
  expectReportCount,
  type Failure,
  leave,
  testControls,
  testFailures,
  testUnreachable,
} from "./failing-app.ts";

const errata = openErrata();
const commands = {
  folder: "hono-react",
  build: ["npm", "run", "build"],
  start: ["node", "dist/server.js"],
};
const app = openApp(commands, errata);
const bare = openApp({ ...commands, of: app, env: WITHOUT_ADAPTER });
const away = openApp({ ...commands, of: app });

const FAILURES: readonly Failure[] = [
  {
    fails: "the shell of a page",
    path: "/shell/7",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: "secret-of-the-kitchen: cart 7 has no price",
    route: "/shell/:id",
    how: "render",
  },
  {
    fails: "a boundary, while the page streams",
    path: "/late/8",
    status: 200,
    shown: "markup",
    type: "TypeError",
    message: "secret-of-the-kitchen: cart 8 has no price",
    route: "/late/:id",
    how: "render",
  },
];

describe("a failure in @hono/react-renderer", () => {
  testFailures(FAILURES, { app, bare, errata });
  testUnreachable({ path: "/shell/7" }, { away, bare });
});

describe("what is no failure in @hono/react-renderer", () => {
  testControls([{ does: "a page", path: "/", status: 200 }], { app, bare, errata });

  it("is not reported, nor the render of a page that the visitor leaves", async () => {
    await leave(app, "/hanging", "Counting");
    await ask(app, { path: "/shell/7" });
    await expectReportCount(errata, FAILURES.length + 1);
  });
});
