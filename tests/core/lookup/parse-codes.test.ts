import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { normalizeAlias } from "#src/core/lookup/alias.ts";
import { formatCodeKey } from "#src/core/lookup/lookup-code.ts";
import { parseCodes } from "#src/core/lookup/parse-codes.ts";

const NOTICE =
  "Application error: a client-side exception has occurred (see the browser console for more information)";

/** Each code as one line: `digest 7F3K-Q2M9`. */
function found(pasted: string): readonly string[] {
  return parseCodes(pasted).map(formatCodeKey);
}

const DIGEST = ["digest 7F3K-Q2M9"];

describe("an Errata digest", () => {
  const cases = [
    { name: "as it is written", pasted: "7F3K-Q2M9" },
    { name: "with spaces of no width", pasted: "see 7F3K\u200b-Q2\u200bM9 please" },
    { name: "in lower case without its dash", pasted: "7f3kq2m9" },
    { name: "with spaces and quotation marks around it", pasted: "\n “7f3k–q2m9” " },
    { name: "spelled out", pasted: "7 F 3 K Q 2 M 9" },
    { name: "in the whole notice", pasted: `${NOTICE}\n\nDigest: 7F3K-Q2M9` },
    {
      name: "in a notice that names the host",
      pasted: `${NOTICE.replace("occurred", "occurred while loading shop.example")}\n\nDigest: 7F3K-Q2M9`,
    },
    { name: "in a chat message", pasted: "hi, I got 7f3k-q2m9 on the cart page, can you help?" },
    {
      name: "in a chat message without its dash, after the word",
      pasted: "the error code is 7f3kq2m9, sorry",
    },
    { name: "with a space for its dash, after the word", pasted: "Digest: 7F3K Q2M9." },
    { name: "at the end of a sentence", pasted: "It says 7F3K-Q2M9." },
    {
      name: "in the URL of an issue",
      pasted: "https://errata.example/d/7F3K-Q2M9?report=1#top",
    },
    {
      name: "in the URL of a receipt, without its dash",
      pasted: "https://errata.example/e/7f3kq2m9",
    },
    {
      name: "in the URL of a lookup",
      pasted: "https://errata.example/lookup?q=Digest%3A+7f3kq2m9&x=1",
    },
    { name: "in markup", pasted: '<template data-dgst="7F3KQ2M9"></template>' },
    { name: "in JSON", pasted: '{"digest":"7F3K-Q2M9","count":1}' },
    { name: "in JSON inside a string", pasted: '{\\"digest\\":\\"7f3kq2m9\\"}' },
  ];
  for (const { name, pasted } of cases) {
    it(`is found ${name}`, () => expect(found(pasted).slice(0, 1)).toEqual(DIGEST));
  }

  it("may consist of digits only, but a range of years is not a digest", () => {
    expect(found("we saw 8927-9949 and 7F3K-Q2M9 today")).toEqual([
      "digest 8927-9949",
      "digest 7F3K-Q2M9",
    ]);
    expect(found("shop, 2020-2026")).toEqual([]);
  });

  it("is parsed with O for 0 and I or L for 1", () => {
    expect(found("digest: o0o0-OOOO")).toEqual(["digest 0000-0000"]);
  });
});

describe("ordinary words", () => {
  const cases = [
    "error boundary",
    // These have a valid check character by chance.
    "error: resource globally filtered",
    "the digest is probably spec-item",
    "error occurred while loading",
    "the digest is missing, a part-time job, long-term",
    "ERROR 404",
    "at main-4f3a.js:1:1 on 2026-11-21",
    "call 555-1234 or 0151-2345",
    "",
    "   ",
  ];
  for (const pasted of cases) {
    it(`are not codes: ${pasted}`, () => expect(found(pasted)).toEqual([]));
  }
});

describe("after the word digest", () => {
  it("a code of letters is a digest in any case and with O for 0", () => {
    expect(found("Digest: tnnq-bobc")).toContain("digest TNNQ-B0BC");
    expect(found('{"digest":"tnnqbobc"}')).toContain("digest TNNQ-B0BC");
  });
});

describe("a digest with a wrong check character", () => {
  it("is misread, with ranked corrections", () => {
    const [code] = parseCodes(`${NOTICE}\n\nDigest: 7F3K-Q2N9`);
    expect(code).toMatchObject({ kind: "misread", read: "7F3K-Q2N9" });
    const first = { position: 6, read: "N", replacement: "M", digest: "7F3K-Q2M9" };
    expect(code?.kind === "misread" && code.corrections[0]).toMatchObject(first);
  });

  it("may also be another application's code", () => {
    expect(found("ABCD-1234")).toEqual(["misread ABCD-1234", "alias ABCD-1234"]);
  });
});

describe("a foreign code", () => {
  const HEX = "5aaeee40d56b46ecbfb342d868e140ef";
  const cases = [
    {
      name: "a Next.js digest in the old notice",
      pasted: "Digest: 2338823894",
      codes: ["alias 2338823894"],
    },
    {
      name: "a Next.js digest in the card",
      pasted:
        "This page couldn’t load\nA server error occurred. Reload to try again.\nReload\nERROR 1348760256",
      codes: ["alias 1348760256"],
    },
    {
      name: "a Next.js digest as an error id",
      pasted: "Application error\n\nError ID: 1740730974",
      codes: ["alias 1740730974"],
    },
    { name: "a bare Next.js digest", pasted: " 586891194 ", codes: ["alias 586891194"] },
    { name: "a short Next.js digest", pasted: "Digest: 404", codes: ["alias 404"] },
    {
      name: "a Next.js digest with Next's own code",
      pasted: "1234567890@E394",
      codes: ["alias 1234567890"],
    },
    {
      name: "the same with a semicolon, in a sentence",
      pasted: "saw 1234567890;E394 here",
      codes: ["alias 1234567890"],
    },
    {
      name: "a Next.js digest in JSON",
      pasted: '8:E{"digest":"1740730974"}',
      codes: ["alias 1740730974"],
    },
    {
      name: "a Next.js digest in Flight data",
      pasted: '8:E{\\"digest\\":\\"1740730974\\"}',
      codes: ["alias 1740730974"],
    },
    {
      name: "a Next.js digest in a log line",
      pasted: "⨯ Error: x { digest: '1740730974' }",
      codes: ["alias 1740730974"],
    },
    {
      name: "a long number if there is no better code",
      pasted: '$RX("B:0","586891194")',
      codes: ["alias 586891194"],
    },
    {
      name: "a digest that an application chose",
      pasted: "MY-DIGEST-1",
      codes: ["alias MY-DIGEST-1"],
    },
    {
      name: "the same in a notice",
      pasted: `${NOTICE}\n\nDigest: MY-DIGEST-1`,
      codes: ["alias MY-DIGEST-1"],
    },
    { name: "one word of any form", pasted: "checkout_failed", codes: ["alias checkout_failed"] },
    {
      name: "a Ray ID",
      pasted: "Cloudflare Ray ID: 8f1a2b3c4d5e6f70 • Performance",
      codes: ["alias 8f1a2b3c4d5e6f70", "request 8f1a2b3c4d5e6f70"],
    },
    {
      name: "a Sentry event id, which may be a trace id",
      pasted: HEX,
      codes: [`report-id ${HEX}`, `alias ${HEX}`],
    },
    {
      name: "a UUID in a sentence",
      pasted: "event 5AAEEE40-D56B-46EC-BFB3-42D868E140EF was sent",
      codes: [`report-id ${HEX}`, `alias ${HEX}`],
    },
    {
      name: "the trace id of a traceparent header",
      pasted: `00-${HEX}-b7ad6b7169203331-01`,
      codes: [`report-id ${HEX}`, `alias ${HEX}`, `request ${HEX}`],
    },
    {
      name: "a redirect of Next.js",
      pasted: "NEXT_REDIRECT;replace;/login;307;",
      codes: ["control-flow NEXT_REDIRECT"],
    },
    {
      name: "not found of Next.js",
      pasted: "Digest: NEXT_HTTP_ERROR_FALLBACK;404",
      codes: ["control-flow NEXT_HTTP_ERROR_FALLBACK"],
    },
    {
      name: "a signal of Waku",
      pasted: '__WAKU_CUSTOM_ERROR__;{"status":404}',
      codes: ["control-flow __WAKU_CUSTOM_ERROR__"],
    },
    {
      name: "nothing for a number above 32 bits",
      pasted: "the Digest: 4294967296 is too large",
      codes: [],
    },
    { name: "nothing in a URL", pasted: "https://shop.example/cart", codes: [] },
    { name: "nothing in a file name", pasted: "it failed in main-4f3a.js twice", codes: [] },
  ];
  for (const { name, pasted, codes } of cases) {
    it(`is found: ${name}`, () => expect(found(pasted)).toEqual(codes));
  }

  it("of eight decimal digits is also a digest if the check character matches", () => {
    const both: string[] = [];
    for (let last = 0; last < 320; last++) {
      const pasted = String(20_000_000 + last);
      const codes = found(pasted);
      expect(codes.at(-1)).toBe(`alias ${pasted}`);
      if (codes.length === 2) both.push(codes[0] ?? "");
      else expect(codes).toHaveLength(1);
    }
    expect(both.length).toBeGreaterThan(0);
    expect(both.every((code) => /^digest 2000-\d{4}$/.test(code))).toBe(true);
  });
});

describe("parseCodes", () => {
  it("lists the best codes first and each once", () => {
    const id = "5aaeee40d56b46ecbfb342d868e140ef";
    const pasted = `Digest: 2338823894 then 7F3K-Q2N9, ${id} and 7f3k-q2m9, 7F3K-Q2M9, NEXT_REDIRECT;`;
    expect(found(pasted)).toEqual([
      "digest 7F3K-Q2M9",
      `report-id ${id}`,
      "alias 2338823894",
      "misread 7F3K-Q2N9",
      "control-flow NEXT_REDIRECT",
      `alias ${id}`,
    ]);
  });

  it("returns no more codes than the limit", () => {
    const many = Array.from({ length: 99 }, (_, i) => `Digest: ${1_000_000 + i}`).join("\n");
    expect(parseCodes(many)).toHaveLength(limits.maxCodesPerQuery);
  });

  it("reads no characters beyond the limit", () => {
    expect(found(`${" ".repeat(limits.maxQueryChars)}7F3K-Q2M9`)).toEqual([]);
  });

  it("survives a broken percent escape", () => {
    expect(found("/lookup?q=%E0%A4%A 7F3K-Q2M9")).toEqual(DIGEST);
  });

  // A backtracking pattern would take minutes here and time out.
  for (const part of [
    "digest ",
    "digest:",
    'error="',
    "7F3K-",
    "7F3K",
    "aaaa ",
    "1234567890",
    "/d/",
    "?q=",
    "%",
    '"\\',
    "-",
    "ray id ",
    "0-",
    " ",
  ]) {
    it(`parses ten thousand characters of ${JSON.stringify(part)} in linear time`, () => {
      const pasted = part.repeat(Math.ceil(limits.maxQueryChars / part.length));
      for (let time = 0; time < 20; time++) parseCodes(pasted);
    });
  }

  it("never throws, and every alias is normalized", () => {
    const words = fc.constantFrom(
      "digest",
      "error",
      "id",
      ": ",
      " ",
      "7F3K",
      "-",
      "Q2M9",
      "@E3",
      "123456",
      "?q=",
      "/d/",
      "f0",
      "NEXT_REDIRECT",
    );
    const pasted = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(words).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(pasted, (text) => {
        for (const code of parseCodes(text)) {
          if (code.kind === "alias") expect(normalizeAlias(code.alias)).toBe(code.alias);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("normalizeAlias", () => {
  const cases: { name: string; text: string; alias: string | null }[] = [
    { name: "trims", text: " 2338823894\n", alias: "2338823894" },
    {
      name: "removes Next.js's error code from a decimal digest",
      text: "2338823894@E394",
      alias: "2338823894",
    },
    { name: "removes it after a semicolon too", text: "2338823894;E394", alias: "2338823894" },
    { name: "keeps it after any other text", text: "MY-DIGEST@E394", alias: "MY-DIGEST@E394" },
    {
      name: "keeps the case of an application's digest",
      text: "My-Digest-1",
      alias: "My-Digest-1",
    },
    {
      name: "writes hex ids in lower case without dashes",
      text: "5AAEEE40-D56B-46EC-BFB3-42D868E140EF",
      alias: "5aaeee40d56b46ecbfb342d868e140ef",
    },
    {
      name: "removes the data centre from a Ray ID",
      text: "8f1a2b3c4d5e6f70-FRA",
      alias: "8f1a2b3c4d5e6f70",
    },
    { name: "rejects an empty text", text: "  ", alias: null },
    {
      name: "rejects a text that is longer than 100 characters",
      text: "x".repeat(101),
      alias: null,
    },
    { name: "accepts a text of 100 characters", text: "x".repeat(100), alias: "x".repeat(100) },
    { name: "rejects spaces inside", text: "two words", alias: null },
    { name: "rejects anything but printable ASCII", text: "dïgest", alias: null },
    { name: "rejects a digest of control flow", text: "NEXT_HTTP_ERROR_FALLBACK;404", alias: null },
  ];
  for (const { name, text, alias } of cases) {
    it(name, () => expect(normalizeAlias(text)).toBe(alias));
  }
});
