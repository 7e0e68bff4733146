/** Codes without a known label, against other words, broken or damaged. */
import { describe, expect, it } from "vitest";
import { formatCodeKey } from "#src/core/lookup/lookup-code.ts";
import { parsePasted } from "#src/core/lookup/parse-codes.ts";

const EVENT = "4fd27c9b1e6a4835b0c97d21f8e36a5c";
const RAY = "9a4c7e1f0b2d8365";
const UUID = "b7f0c2e4-19ad-4c53-8e6f-d2a1c0937b58";
const VERCEL = "7hq4t-1764321907482-9c1e0d7b5a34";
const ULID = "01KB4Z8Q9M3X7T2W5R6Y0PVNDA";
const CLOUDFRONT = "Qz7mP4xK2nV8bR1tY6wL3cH9sJ5dG0fA-_EeUuIiOoXxSsDdWw0a1b";

const read = (text: string) => {
  const { codes, guesses } = parsePasted(text);
  return [...codes, ...guesses].map(formatCodeKey);
};

describe("pasted text has the code", () => {
  it.each([
    ["Digest: 2749163058Try again", "alias 2749163058"],
    ["DIGEST2749163058", "alias 2749163058"],
    ["Digest: HW8A-JFF8Reload", "digest HW8A-JFF8"],
    ["FehlerHW8A-JFF8Zurück", "digest HW8A-JFF8"],
    ["H W8A -JFF 8", "digest HW8A-JFF8"],
    ["> code HW8A-J\n> FF8", "digest HW8A-JFF8"],
    ["> Digest: 27491\n> 63058\n> danke", "alias 2749163058"],
    ["Fehlercode: 274916058", "alias 2749163058"],
    [`eventId${EVENT}`, `report-id ${EVENT}`],
    [`Reference: ${EVENT}Back to shop`, `report-id ${EVENT}`],
    ["4fd27c9b1e6a4835b0c9d21f8e36a5c", "short-id 4fd27c9b"],
    ["4fd27c9b1e6a4B35b0c97d21f8e36a5c", "short-id 4fd27c9b"],
    ["bei mir steht 4fd27c9b auf der Seite", "short-id 4fd27c9b"],
    ["[4fd27c9b](https://sentry.example/)", "short-id 4fd27c9b"],
    [`Ray ID: ${RAY}Your IP: 203.0.113.9`, `alias ${RAY}`],
    [`レイ ID：${RAY}`, `alias ${RAY}`],
    ["Ray ID: 9a4c 7e1f 0b2d 8365", `alias ${RAY}`],
    ["Ray ID: 9a4c7elfOb2d8365", `alias ${RAY}`],
    [`RequestId:${UUID}Task timed out`, `report-id ${UUID.replaceAll("-", "")}`],
    ["req_8Kd0sPq2LmX", "request req_8kd0spq2lmx"],
    ["Anfrage-ID: req_8Kd0sPq2LmX, danke", "request req_8kd0spq2lmx"],
    ["https://dash.example/logs/req_8Kd0sPq2LmX", "request req_8kd0spq2lmx"],
    ["Request ID: _req_8Kd0sPq2LmX_", "request req_8kd0spq2lmx"],
    [`内部编号：${ULID}。`, `request ${ULID.toLowerCase()}`],
    ["ID 01KB4Z8Q9M3X7T2W5R6YOPVNDA", `request ${ULID.toLowerCase()}`],
    [`错误 ID：cdg1::iad1::${VERCEL}`, `request ${VERCEL}`],
    [`ID: CDG1::IAD1::${VERCEL.toUpperCase()}`, `request ${VERCEL}`],
    [`ID: cdg1::iad1::7hq4t-17643219\n07482-9c1e0d7b5a34`, `request ${VERCEL}`],
    [`Request ID: ${CLOUDFRONT}`, `request ${CLOUDFRONT.toLowerCase()}==`],
    ["err_connection_refused", "error-name ERR_CONNECTION_REFUSED"],
    ["ERR CONNECTION REFUSED", "error-name ERR_CONNECTION_REFUSED"],
    ["ERR_CONNECTION_\nREFUSED", "error-name ERR_CONNECTION_REFUSED"],
    ["DNS_PROBE_FINISHED_NXDOMAIN", "error-name DNS_PROBE_FINISHED_NXDOMAIN"],
    ["https://react.dev/errors/418", "error-name #418"],
    ["React-Fehler #418", "error-name #418"],
  ])("%j: %s", (text, key) => expect(read(text)).toContain(key));
});

it("text without a code has none", () => {
  for (const text of [
    "The page does not load for me since yesterday",
    "deadbeef and facade are words",
    "Version 10.12.3 of 2026-11-28, 14:05",
    "/api/v1/orders?page=2&sort=price",
  ])
    expect(
      parsePasted(text).guesses.filter(({ kind }) => !/person|misread/.test(kind)),
      text,
    ).toEqual([]);
});
