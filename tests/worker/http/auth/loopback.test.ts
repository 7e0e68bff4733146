import { afterEach, describe, expect, it } from "vitest";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

describe("without sign-in", () => {
  const DESK = [
    "/",
    "/lookup?q=a",
    "/d/7F3K-Q2M9",
    "/d/7F3K-Q2M9.json",
    "/d/7F3K-Q2M9/files/0",
    "/status",
    "/issues",
    "/self-test",
    "/self-test/shell",
  ];
  const remoteRequests: { name: string; origin: string; headers: Record<string, string> }[] = [
    { name: "another host", origin: "https://errata.example", headers: {} },
    { name: "a look-alike host", origin: "http://localhost.example", headers: {} },
    { name: "an address of the local network", origin: "http://192.168.1.2:8787", headers: {} },
    {
      name: "a proxy in front of a local server",
      origin: "http://localhost:8787",
      headers: { "x-forwarded-for": "203.0.113.7" },
    },
    {
      name: "a client on another machine",
      origin: "http://localhost:8787",
      headers: { "cf-connecting-ip": "203.0.113.7" },
    },
  ];

  it.each(remoteRequests)(
    "the desk is closed to $name: 503 with one sentence",
    async ({ origin, headers }) => {
      await log.append([createReport(1)]);
      for (const path of DESK) {
        for (const accept of ["text/html", "application/json"]) {
          const { response, body } = await visit(path, { origin, headers: { ...headers, accept } });
          expect(response.status, path).toBe(503);
          expect(body).toContain("Setup required");
          expect(body).not.toContain("price");
        }
      }
    },
  );

  it.each([
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
    "http://errata.localhost",
  ])("the desk is open at %s", async (origin) => {
    expect((await visit("/", { origin })).response.status).toBe(200);
  });
});
