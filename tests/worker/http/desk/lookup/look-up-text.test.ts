/** Texts with the form of a code that are none: the lookup finds the errors that contain them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { readDigest } from "#src/core/grouping/parse-digest.ts";
import { createReportWriter } from "#src/store/client/report-writer.ts";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, NOW_MS } from "#support/store/store.ts";

skipPauses();

const pad = (n: number, digits: number) => String(n).padStart(digits, "0");
const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0");

/** Kinds of texts, most of them with eight letters and digits. */
const KINDS: Readonly<Record<string, (n: number) => string>> = {
  "a path": (n) => `/cart/${1_000 + n}`,
  "a path of one part": (n) => `/item${1_000 + n}`,
  "a path without a slash before it": (n) => `cart/${1_000 + n}`,
  "a file": (n) => `page${pad(n, 2)}.ts`,
  "a place in a file": (n) => `a.ts:${10_000 + n}`,
  "a version": (n) => `12.${10 + n}.1234`,
  "a version after a letter": (n) => `v1.${pad(n, 3)}.117`,
  "a candidate of a release": (n) => `3.${10 + n}.0-rc${10 + n}`,
  "a day": (n) => `2026-${pad(1 + (n % 12), 2)}-${pad(1 + (n % 28), 2)}`,
  "a day as Germans write it": (n) => `${pad(1 + (n % 28), 2)}.${pad(1 + (n % 12), 2)}.2026`,
  "a day with slashes": (n) => `${pad(1 + (n % 12), 2)}/${pad(1 + (n % 28), 2)}/2026`,
  "a time": (n) => `12:${pad(n % 60, 2)}:33.${pad(n % 100, 2)}`,
  "a phone number": (n) => `555-${pad(1_200 + n, 5)}`,
  "a phone number with its country": (n) => `+1 555 ${1_000 + n}`,
  "an order number": (n) => `ORD-${10_000 + n}`,
  "an order number after a mark": (n) => `#${pad(n, 4)}AB2C`,
  "an invoice": (n) => `INV-${1_000 + n}`,
  "a stock number": (n) => `abcd-${1_000 + n}`,
  "a stock number in three parts": (n) => `TS-${100 + n}-XXL`,
  "a color": (n) => `#${hex(0x1a2b3c00 + n, 8)}`,
  "an address of the network": (n) => `10.20.${10 + n}.34`,
  "a port of an address": (n) => `10.0.0.1:${1_000 + n}`,
  "the beginning of a UUID": (n) => hex(0x4bf92f00 + n, 8),
  "the middle of a UUID": (n) => `${hex(0x4ab0 + n, 4)}-9d2e`,
  "a commit": (n) => hex(0xc0ffe00 + n, 7),
  "an amount": (n) => `1,${100 + n}.50`,
  "a currency": (n) => `EUR${10_000 + n}`,
  "a key of a table": (n) => `user_${1_000 + n}`,
  "a code of a database": (n) => `PG::${100_000 + n}`,
  "a selector": (n) => `#nav-${10_000 + n}`,
  "an escaped path": (n) => `%2Fa${100_000 + n}`,
  "a port": (n) => `abc:${10_000 + n}`,
};

/** Texts that are digests when their marks are left out, and texts that are misread ones. */
const TEXTS = Object.entries(KINDS)
  .flatMap(([kind, format]) => {
    const texts = Array.from({ length: 320 }, (_, n) => format(n));
    const isDigest = (text: string) => readDigest(text.replace(/[^\dA-Za-z]/g, "")) !== undefined;
    const likely = texts.find((text) => isDigest(text));
    const wrong = texts.find((text) => !isDigest(text));
    return [likely, wrong].flatMap((text) => (text === undefined ? [] : [{ kind, text }]));
  })
  .map((one, n) => ({ ...one, digest: digestFromHash(Uint8Array.of(1, n, 0, 0, 0)) }));

let members: TestMembers;
let owner: Proof;

beforeAll(async () => {
  members = await createMembers();
  const { proof, actor } = await members.invite("owner");
  owner = proof;
  await members.change(actor, { do: "create-project", name: "Web shop" });
  const reports = TEXTS.map(({ text, digest }, n) =>
    createReport(1 + n, { digest, message: `it failed at ${text} and ended` }),
  );
  for (let at = 0; at < reports.length; at += 20)
    await createReportWriter(bindings, { project: "2", shards: 1, nowMs: () => NOW_MS }).append(
      reports.slice(at, at + 20),
    );
});

afterAll(() => emptyStore());

async function open(path: string, accept: string) {
  const { response, body } = await visit(path, {
    origin: ORIGIN,
    services: members.services,
    redirect: "manual",
    headers: { ...owner, accept },
  });
  const location = response.headers.get("location");
  const to = location === null ? undefined : new URL(location, `${ORIGIN}${path}`).pathname;
  return { to, body };
}

/** The digests that a program finds in the project, and in others. */
async function read(path: string): Promise<readonly string[][]> {
  const { hits, otherProjects = [] } = JSON.parse((await open(path, "application/json")).body);
  const toDigests = (found: readonly { digest: string }[]) => found.map(({ digest }) => digest);
  return [toDigests(hits), otherProjects.flatMap((one: { hits: [] }) => toDigests(one.hits))];
}

describe.each(TEXTS)("$kind, $text", ({ text, digest }) => {
  const query = `/lookup?q=${encodeURIComponent(text)}`;

  it("leads people to its error, here and in their other projects", async () => {
    for (const path of [`/p/2${query}`, query]) {
      const { to, body } = await open(path, "text/html");
      // Some texts have the words of others; then both are listed.
      expect(to ?? body).toContain(`/d/${digest}`);
    }
  });

  it("leads programs to its error, here and in other projects", async () => {
    expect((await read(`/p/2${query}`))[0]).toContain(digest);
    expect((await read(query))[1]).toContain(digest);
  });
});

describe("a text that is also a misread digest of an issue", () => {
  const MEANT = digestFromHash(Uint8Array.of(2, 0, 0, 0, 0));
  const NAMED = digestFromHash(Uint8Array.of(3, 0, 0, 0, 0));
  /** The last character is the check character. */
  const misread = `${MEANT.slice(0, -1)}${MEANT.endsWith("Z") ? "Y" : "Z"}`;
  const query = `/lookup?q=${misread}`;

  beforeAll(() =>
    createReportWriter(bindings, { project: "2", shards: 1, nowMs: () => NOW_MS }).append([
      createReport(1_001, { digest: MEANT, message: "no stock" }),
      createReport(1_002, { digest: NAMED, message: `the order ${misread} is unknown` }),
    ]),
  );

  it("leads to the errors that contain it and to the issue of the digest", async () => {
    const { to, body } = await open(`/p/2${query}`, "text/html");
    expect(to).toBeUndefined();
    for (const digest of [NAMED, MEANT]) expect(body).toContain(`/d/${digest}`);
    expect((await read(`/p/2${query}`))[0]).toEqual([NAMED, MEANT]);
  });

  it("leads to both in other projects", async () => {
    const { to, body } = await open(query, "text/html");
    expect(to).toBeUndefined();
    for (const digest of [NAMED, MEANT]) expect(body).toContain(`/p/2/d/${digest}`);
    expect(await read(query)).toEqual([[], [NAMED, MEANT]]);
  });
});
