/** Deeply nested JSON. */
import { limits } from "#src/core/limits.ts";
import { createEnvelope, createEvent, createEventEnvelope, type Hostile } from "./hostile-row.ts";

const nest = (open: string, inner: string, close: string, levels: number) =>
  `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
const deep = { status: 400, reason: "too-deep" } as const;
const levels = 100_000;

/** Nested objects and arrays in every place where JSON is read. */
export const hostileNesting: readonly Hostile[] = [
  { name: "objects", body: () => `{"message":${nest('{"a":', "1", "}", levels)}}`, ...deep },
  { name: "arrays", body: () => nest("[", "", "]", levels), ...deep },
  { name: "arrays that are never closed", body: "[".repeat(levels), ...deep },
  { name: "objects and arrays in turn", body: () => nest('[{"a":', "1", "}]", levels), ...deep },
  {
    name: "in an envelope's item",
    body: () => createEventEnvelope([nest('{"a":[', "1", "]}", levels)]),
    status: 413,
    reason: "too-large",
  },
  {
    name: "in an envelope's header",
    body: () => `{"a":${nest("[", "", "]", 5_000)}}\n{"type":"event"}\n{}`,
    status: 400,
  },
  {
    name: "in an item's header",
    body: () => createEnvelope(`{"type":"event","a":${nest("[", "", "]", 5_000)}}`, "{}"),
    status: 400,
    reason: "framing",
  },
  {
    name: "one level more than is parsed",
    body: nest("[", "", "]", limits.maxParsedDepth + 1),
    ...deep,
  },
  {
    name: "as deep as is parsed",
    body: JSON.stringify(createEvent("deep")).replace(
      /}$/,
      `,"extra":{"a":${nest("[", "", "]", limits.maxParsedDepth - 2)}}}`,
    ),
    status: 200,
  },
  {
    name: "brackets that close nothing",
    body: `{"message":"a"${"}".repeat(levels)}${"[".repeat(50)}`,
    status: 400,
    reason: "not-json",
  },
  {
    name: "brackets in a string",
    body: JSON.stringify(createEvent("[".repeat(levels))),
    status: 200,
  },
  {
    name: "JSON in a string in a string",
    body: JSON.stringify(
      createEvent(
        Array(10)
          .fill(0)
          .reduce((text) => JSON.stringify(text), '"'),
      ),
    ),
    status: 200,
  },
];
