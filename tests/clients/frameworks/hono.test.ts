import { describe, it } from "vitest";
import { openErrata } from "../errata.ts";
import { openApp } from "./app.ts";
import { WITHOUT_ADAPTER } from "./bare.ts";
import {
  ask,
  expectReportCount,
  leave,
  testControls,
  testFailures,
  testUnreachable,
} from "./failing-app.ts";
import { CONTROLS, FAILURES } from "./hono-failures.ts";

const errata = openErrata();
const commands = {
  folder: "hono",
  build: ["npm", "run", "build"],
  start: ["node", "dist/server.js"],
};
const app = openApp(commands, errata);
const bare = openApp({ ...commands, of: app, env: WITHOUT_ADAPTER });
const away = openApp({ ...commands, of: app });

describe("a failure in Hono on Node.js", () => {
  testFailures(FAILURES, { app, bare, errata });
  testUnreachable({ path: "/price/7" }, { away, bare });
});

describe("what is no failure in Hono on Node.js", () => {
  testControls(CONTROLS, { app, bare, errata });

  it("is not reported, nor what fails because the visitor left", async () => {
    await leave(app, "/slow", "A slow visitor waits.");
    await ask(app, { path: "/price/7" });
    await expectReportCount(errata, FAILURES.length + 1);
  });
});
