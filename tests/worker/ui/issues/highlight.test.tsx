import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Highlight } from "#src/ui/issues/issues-table.tsx";

it.each([
  ["No price for the item", "price", "No <mark>price</mark> for the item"],
  ["No price for the item", "no price", "<mark>No price</mark> for the item"],
  ["item-price.ts:41", "price.ts:41 item", "<mark>item</mark>-<mark>price.ts:41</mark>"],
  ["a.b (c)", "(c) a.b", "<mark>a.b</mark> <mark>(c)</mark>"],
  ["naïve <b>", "NAÏVE", "<mark>naïve</mark> &lt;b&gt;"],
  ["of the off", "of", "of the off"],
  ["anything", "", "anything"],
])("marks in %j the words %j", (text, words, html) => {
  expect(renderToStaticMarkup(<Highlight text={text} words={words} />)).toBe(html);
});
