/**
 * Helpers that read a stream step by step: gates for late content, time for React to work, and the
 * bytes read.
 */
import fc from "fast-check";
import { type ReactNode, use } from "react";
import type { Later } from "./react-pages.tsx";

/** Suspends until the value is there, then renders it. */
export function Late({ value }: { value: Promise<ReactNode> }) {
  return use(value);
}

/**
 * Waits two tasks: React works in tasks, and has rendered and written everything it can after two.
 */
export async function waitTwoTasks(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve));
}

/** Creates promises and settles them one by one, with time to render and write in between. */
export function createGates() {
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
        await waitTwoTasks();
        open();
      }
    },
  };
}

/** Reads the rest of the stream as Latin-1, so that a difference is readable. */
export async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let html = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    html += Buffer.from(value ?? []).toString("latin1");
  }
  return html;
}

/** Texts of all kinds: lone surrogates, escaped characters, long texts. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "é", "<", "&", '"', "x", "日", "\n") }),
  fc.nat(3_000).map((length) => "aü".repeat(length)),
);
