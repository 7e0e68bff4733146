/** What a test needs to look at a stream step by step: gates for what comes late, time for React, and what was read. */
import fc from "fast-check";
import { type ReactNode, use } from "react";
import type { Later } from "./react-pages.tsx";

/** What it shows when it is there. */
export function Late({ value }: { value: Promise<ReactNode> }) {
  return use(value);
}

/** React works in tasks; after two of them whatever could be done and written has been. */
export async function aWhile(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve));
}

/** Makes promises, and settles them one by one, with time to render and to write between them. */
export function gates() {
  const waiting: (() => void)[] = [];
  const later: Later = (value) => {
    const gate = Promise.withResolvers<never>();
    gate.promise.catch(() => undefined);
    waiting.push(() =>
      value instanceof Error ? gate.reject(value) : gate.resolve(value as never),
    );
    return gate.promise;
  };
  return {
    later,
    async open() {
      for (let open = waiting.shift(); open !== undefined; open = waiting.shift()) {
        await aWhile();
        open();
      }
    },
  };
}

/** All that is read from now on, as Latin-1 so that a difference can be read. */
export async function bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let html = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    html += Buffer.from(value ?? []).toString("latin1");
  }
  return html;
}

/** Texts of all kinds: half of a surrogate pair, what is escaped, long ones. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "é", "<", "&", '"', "x", "日", "\n") }),
  fc.nat(3_000).map((length) => "aü".repeat(length)),
);
