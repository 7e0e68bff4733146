import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confusablePairs } from "#src/core/grouping/confusable-characters.ts";
import { digestFromHash, formatDigest } from "#src/core/grouping/encode-digest.ts";
import {
  correctLength,
  type DigestCorrection,
  isDigest,
  parseDigest,
} from "#src/core/grouping/parse-digest.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 });

function replaced(digest: string, at: number, letter: string): string {
  return digest.slice(0, at) + letter + digest.slice(at + 1);
}

/** The corrections of a digest with a wrong check character; none for other texts. */
function getCorrections(read: ReturnType<typeof parseDigest>): readonly DigestCorrection[] {
  return read.ok || read.reason === "not-a-digest" ? [] : read.corrections;
}

/** The positions of the eight characters in `7F3K-Q2M9`. */
const PLACES = [0, 1, 2, 3, 5, 6, 7, 8];

describe("digestFromHash", () => {
  it("encodes the first 35 bits in Crockford's Base 32 and one check character", () => {
    const bits = [..."7F3KQ2M"].map((letter) =>
      ALPHABET.indexOf(letter).toString(2).padStart(5, "0"),
    );
    const bytes = `${bits.join("")}00000`.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2));
    expect(digestFromHash(new Uint8Array(bytes ?? []))).toBe("7F3K-Q2M9");
  });

  it("never changes", () => {
    const of = (text: string) => digestFromHash(createHash("sha256").update(text).digest());
    expect(of("")).toBe("WERC-8GMX");
    expect(of("1|error|Error|coupon * has expired")).toBe("93G3-50ZK");
  });

  it("is always a digest", () => {
    fc.assert(fc.property(hashes, (hash) => isDigest(digestFromHash(hash))));
  });
});

describe("isDigest", () => {
  for (const text of [
    "7f3k-q2m9",
    "7F3KQ2M9",
    "7F3K-Q2M8",
    " 7F3K-Q2M9",
    "7F3K-Q2M9\n",
    "7F3K-Q2MO",
    "",
  ]) {
    it(`accepts only the canonical form, not ${JSON.stringify(text)}`, () => {
      expect(isDigest("7F3K-Q2M9")).toBe(true);
      expect(isDigest(text)).toBe(false);
    });
  }
});

describe("the check character", () => {
  it("detects every single wrong character", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const digest = digestFromHash(hash);
        for (const at of PLACES) {
          for (const letter of ALPHABET) {
            expect(isDigest(replaced(digest, at, letter))).toBe(letter === digest[at]);
          }
        }
      }),
    );
  });

  it("detects every swap of two different characters, adjacent or not", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const digest = digestFromHash(hash);
        for (const one of PLACES) {
          for (const other of PLACES) {
            const [a, b] = [digest.charAt(one), digest.charAt(other)];
            const swapped = replaced(replaced(digest, one, b), other, a);
            expect(isDigest(swapped)).toBe(a === b);
          }
        }
      }),
    );
  });
});

describe("parseDigest", () => {
  const forgiven = [
    "7F3K-Q2M9",
    "7f3k-q2m9",
    "7F3KQ2M9",
    "  7F3K-Q2M9\n",
    "“7F3K–Q2M9”",
    "7F3K\u2011Q2M9",
    "7F3K\u2212Q2M9",
    "7F3K Q2M9",
    "７Ｆ３Ｋ－Ｑ２Ｍ９",
    "7 f 3 k q 2 m 9",
  ];
  for (const text of forgiven) {
    it(`parses ${JSON.stringify(text)}`, () => {
      expect(parseDigest(text)).toEqual({ ok: true, value: "7F3K-Q2M9" });
    });
  }

  it("parses O as 0, I and L as 1, and U as V, in any case", () => {
    fc.assert(
      fc.property(hashes, fc.infiniteStream(fc.boolean()), (hash, coin) => {
        const digest = digestFromHash(hash);
        const misheard: Record<string, string> = { "0": "o", "1": "L", V: "u" };
        const typed = [...digest].map((letter) =>
          coin.next().value ? (misheard[letter] ?? letter.toLowerCase()) : letter,
        );
        expect(parseDigest(typed.join(""))).toEqual({ ok: true, value: digest });
      }),
    );
  });

  for (const text of [
    "",
    "7F3K-Q2M",
    "7F3K-Q2M99",
    "7F3K-Q2M!",
    "2338823894",
    "7F3K-Q2M9".padStart(999),
  ]) {
    it(`rejects ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(parseDigest(text)).toEqual({ ok: false, reason: "not-a-digest" });
    });
  }

  it("lists likely misreadings if the check character does not match", () => {
    const read = parseDigest("7f3k-q2n9");
    expect(read).toMatchObject({ ok: false, reason: "wrong-check", read: "7F3K-Q2N9" });
    expect(getCorrections(read).filter(({ isConfusable }) => isConfusable)).toEqual([
      { position: 6, read: "N", replacement: "M", isConfusable: true, digest: "7F3K-Q2M9" },
      { position: 0, read: "7", replacement: "2", isConfusable: true, digest: "2F3K-Q2N9" },
    ]);
  });

  it("lists, after the confusable ones, the one valid character of each position", () => {
    fc.assert(
      fc.property(hashes, fc.nat(31), fc.nat(7), (hash, letter, position) => {
        const digest = digestFromHash(hash);
        const typed = replaced(digest, PLACES[position] ?? 0, ALPHABET[letter] ?? "");
        fc.pre(typed !== digest);
        const corrections = getCorrections(parseDigest(typed));
        expect(corrections.map((one) => one.digest)).toContain(digest);
        const ranks = corrections.map(({ isConfusable }) => Number(isConfusable));
        expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
        expect(new Set(corrections.map((one) => one.digest)).size).toBe(corrections.length);
      }),
    );
  });

  it("finds every misreading of a confusable pair and lists valid digests only", () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const digest = digestFromHash(hash);
        for (const [position, at] of PLACES.entries()) {
          for (const [one, other] of confusablePairs) {
            if (digest[at] !== one && digest[at] !== other) continue;
            const typed = digest[at] === one ? other : one;
            const corrections = getCorrections(parseDigest(replaced(digest, at, typed)));
            const misreading = {
              position,
              read: typed,
              replacement: digest[at],
              isConfusable: true,
              digest,
            };
            expect(corrections).toContainEqual(misreading);
            expect(corrections.every((one) => isDigest(one.digest))).toBe(true);
          }
        }
      }),
    );
  });

  it("lists swapped neighbors after all single misreadings", () => {
    const plausible = getCorrections(parseDigest("7F3K-2QM9")).filter((one) => one.isConfusable);
    const swapped = {
      position: 4,
      read: "2Q",
      replacement: "Q2",
      isConfusable: true,
      digest: "7F3K-Q2M9",
    };
    expect(plausible.at(-1)).toEqual(swapped);
  });

  it("lists a pair that was misread wherever it is", () => {
    for (const [digest, typed] of [
      ["HW8A-JFF8", "HWBA-JFFB"],
      ["18C9-809H", "IBC9-BO9H"],
    ] as const) {
      const found = getCorrections(parseDigest(typed)).find((one) => one.digest === digest);
      expect(found).toMatchObject({ isConfusable: true });
      const letters = typed.replace("-", "").replace("I", "1").replace("O", "0");
      const { position = 0, read = "", replacement = "" } = found ?? {};
      expect(letters.slice(position, position + read.length)).toBe(read);
      expect(letters.slice(0, position) + replacement + letters.slice(position + read.length)).toBe(
        digest.replace("-", ""),
      );
    }
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseDigest(text)));
  });
});

describe("correctLength", () => {
  it.each([
    ["W", "VV"],
    ["M", "RN"],
    ["D", "CL"],
    ["B", "I3"],
  ])("lists the digest whose %s was read as %s, and the other way round", (one, two) => {
    fc.assert(
      fc.property(hashes, fc.nat(6), (hash, at) => {
        const letters = digestFromHash(hash).replace("-", "");
        for (const [right, wrong] of [
          [one, two],
          [two.replace("L", "1").replace("I", "1"), one],
        ] as const) {
          const start = letters.slice(0, Math.min(at, 7 - right.length)) + right;
          const data = (start + letters).slice(0, 7);
          const digest = [...ALPHABET].map((check) => formatDigest(data + check)).find(isDigest);
          const typed = digest?.replace("-", "").replace(right, wrong) ?? "";
          expect(correctLength(typed)?.corrections.map((found) => found.digest)).toContain(digest);
        }
      }),
    );
  });
});

describe("confusablePairs", () => {
  it("contains each pair once, in the digest's alphabet", () => {
    const names = confusablePairs.map(([one, other]) => [one, other].sort().join(""));
    expect(new Set(names).size).toBe(names.length);
    expect(confusablePairs.flat().filter((letter) => !ALPHABET.includes(letter))).toEqual([]);
    expect(confusablePairs.filter(([one, other]) => one === other)).toEqual([]);
  });
});
