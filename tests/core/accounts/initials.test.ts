/** Initials and tints of people, and the contrast of each tint. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AVATAR_TINTS, toAvatarTint, toInitials } from "#src/core/accounts/initials.ts";

it.each([
  ["Ada Lovelace", "AL"],
  ["ada king lovelace", "AL"],
  ["Bob", "BO"],
  ["X", "X"],
  ["me", "ME"],
  ["  Mel  ", "ME"],
  ["Jean-Luc Picard", "JP"],
  ["O'Neill", "ON"],
  ["Åsa Öberg", "ÅÖ"],
  ["a\u030asa o\u0308berg", "A\u030aO\u0308"],
  ["ß", "SS"],
  ["Иван Петров", "ИП"],
  ["山田 太郎", "山"],
  ["김민수", "김"],
  ["محمد علي", "مع"],
  ["👩‍🚀 Sally", "👩‍🚀"],
  ["team-api (bot)", "TB"],
  ["42", "42"],
  ["…", "?"],
  ["", "?"],
])("the initials of %j are %s", (name, initials) => {
  expect(toInitials(name)).toBe(initials);
});

describe("the tint of a name", () => {
  it("is the same for spellings that look the same", () => {
    expect(toAvatarTint("ADA  Lovelace")).toBe(toAvatarTint("Ada Lovelace"));
  });

  it("is one of the set, and differs between people", () => {
    const names = Array.from({ length: 100 }, (_, n) => `Person ${n}`);
    const tints = new Set(names.map(toAvatarTint));
    expect([...tints].sort()).toEqual(Array.from({ length: AVATAR_TINTS }, (_, n) => n));
  });
});

const sheet = readFileSync("src/ui/parts/avatar.css", "utf8");
const hues = [...sheet.matchAll(/--tint: (\d+);/g)].map(([, hue]) => Number(hue));

describe("the initials are readable", () => {
  it("on as many tints as there are", () => {
    expect(new Set(hues).size).toBe(AVATAR_TINTS);
  });

  const schemes = ["light", "dark"] as const;
  it.each(schemes.flatMap((scheme) => hues.map((hue) => [scheme, hue] as const)))(
    "with a contrast of 4.5:1: %s, hue %i",
    (scheme, hue) => {
      const [ground, text] = ["background", "color"].map((property) => {
        const declared = new RegExp(`\\n  ${property}: light-dark\\((.*)\\);`).exec(sheet)?.[1];
        const colors = [...(declared ?? "").matchAll(/oklch\(([\d.]+) ([\d.]+) var/g)];
        const [, lightness, chroma] = colors[schemes.indexOf(scheme)] ?? [];
        return toLuminance(Number(lightness), Number(chroma), hue);
      });
      const [dark = 0, light = 0] = [ground ?? 0, text ?? 0].sort((a, b) => a - b);
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
    },
  );
});

/** The relative luminance (WCAG 2.2) of an OKLCH color (CSS Color 4 § 9.2), clipped to sRGB. */
function toLuminance(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
