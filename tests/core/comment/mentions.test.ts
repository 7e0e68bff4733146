/** Mentions of members in comments. */
import { describe, expect, it } from "vitest";
import { findMentions, listMentioned, MAX_MENTIONS } from "#src/core/comment/mentions.ts";
import { limits } from "#src/core/limits.ts";

const NAMES = [
  "Ada Lovelace",
  "Ada King",
  "Bob",
  "Mel",
  "山田 太郎",
  "Jean-Luc",
  "O'Neill",
  "José",
];

describe("a comment mentions", () => {
  it.each([
    ["@Bob look at this", ["Bob"]],
    ["Look, @bob!", ["Bob"]],
    ["(@BOB)", ["Bob"]],
    ["@Bob, @Mel and @Bob again", ["Bob", "Mel"]],
    ["@Ada Lovelace wrote it", ["Ada Lovelace"]],
    ["@ada  lovelace", ["Ada Lovelace"]],
    ["@Ada King and @Ada Lovelace", ["Ada King", "Ada Lovelace"]],
    ["@山田 太郎 さん", ["山田 太郎"]],
    ["@山田 さん", ["山田 太郎"]],
    ["@Jean-Luc's change", ["Jean-Luc"]],
    ["@O'Neill", ["O'Neill"]],
    ["@Jose\u0301 has it", ["José"]],
    ["- **@Mel** takes it", ["Mel"]],
    ["first line\n@Mel", ["Mel"]],
  ])("the members whose names follow an @: %j", (comment, mentioned) => {
    expect(listMentioned(comment, NAMES)).toEqual(mentioned);
  });

  it.each([
    ["nobody whose first name two members have", "@Ada look"],
    ["nobody in an email address", "mail bob@Bob.example or x.@Bob"],
    ["nobody in a package or a path", "npm i pkg/@Bob a_@Mel -@Mel"],
    ["nobody whose name only begins so", "@Bobby and @Melanie"],
    ["nobody in code", "`@Bob`"],
    ["nobody in a block of code", "```\n@Bob\n```"],
    ["nobody without a name", "@ Bob @@Bob"],
    ["nobody who is no member", "@Grace"],
  ])("%s", (_, comment) => {
    expect(listMentioned(comment, NAMES)).toEqual([]);
  });

  it(`at most ${MAX_MENTIONS} members`, () => {
    const many = Array.from({ length: 3 * MAX_MENTIONS }, (_, n) => `P${n}`);
    const comment = many.map((name) => `@${name}`).join(" ");
    expect(listMentioned(comment, many)).toHaveLength(MAX_MENTIONS);
  });

  it("a member at a place of the text that contains no more than the name", () => {
    const text = "so @ada lovelace, yes";
    const [mention] = findMentions(text, NAMES);
    expect(text.slice(mention?.start, mention?.end)).toBe("@ada lovelace");
  });
});

it("the longest comment of marks mentions nobody", () => {
  const text = "@b ".repeat(limits.maxCommentChars / 3);
  expect(findMentions(text, ["Bob"])).toEqual([]);
});
