import { describe, expect, it } from "vitest";
import { continueBody, holdBody } from "#src/front/held-body.ts";

const OPTIONS = { chunkBytes: 100, maxWaitMs: 60_000, isEnough: () => true };
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A body, and what it was asked for. */
function createBody(type?: "bytes") {
  let control: ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController;
  const cancelled: unknown[] = [];
  const source = {
    start: (it: typeof control) => {
      control = it;
    },
    cancel: (reason: unknown) => void cancelled.push(reason),
  };
  const body =
    type === "bytes"
      ? new ReadableStream({ ...source, type })
      : new ReadableStream<Uint8Array>(source as UnderlyingDefaultSource<Uint8Array>);
  return {
    body: body as ReadableStream<Uint8Array<ArrayBuffer>>,
    cancelled,
    push: (text: string) => control.enqueue(encode(text)),
    close: () => control.close(),
    fail: (error: Error) => control.error(error),
  };
}

const readAll = (body: ReadableStream<Uint8Array>) => new Response(body).text();

describe.each(["bytes", undefined] as const)("a body of a source of type %s", (type) => {
  it("is held until there is enough, and goes on as it was", async () => {
    const { body, push, close } = createBody(type);
    for (const text of ["a", "b", "c", "d"]) push(text);
    const isEnough = (bytes: Uint8Array) => bytes.length >= 2;
    const held = await holdBody(body, { ...OPTIONS, chunkBytes: 1, isEnough });
    expect([decode(held.bytes), held.isEnd, held.pending]).toEqual(["ab", false, undefined]);
    close();
    expect(await readAll(continueBody(held.bytes, held))).toBe("abcd");
  });

  it("is held to its end if there is never enough", async () => {
    const { body, push, close } = createBody(type);
    push("ab");
    const holding = holdBody(body, { ...OPTIONS, isEnough: () => false });
    close();
    const held = await holding;
    expect([decode(held.bytes), held.isEnd]).toEqual(["ab", true]);
    expect(await readAll(continueBody(encode("xyz"), held))).toBe("xyz");
  });

  it("goes on with a read that takes too long", async () => {
    const { body, push, close } = createBody(type);
    push("ab");
    const held = await holdBody(body, { ...OPTIONS, maxWaitMs: 0, isEnough: () => false });
    expect([decode(held.bytes), held.pending]).toEqual(["ab", expect.any(Promise)]);
    const reading = readAll(continueBody(held.bytes, held));
    push("c");
    push("d");
    close();
    expect(await reading).toBe("abcd");
  });

  it("ends with the failure of its source, behind what has arrived", async () => {
    const { body, push, fail } = createBody(type);
    push("ab");
    const holding = holdBody(body, { ...OPTIONS, isEnough: () => false });
    const reader = continueBody(encode("ab"), await failLater(holding, fail)).getReader();
    expect(decode((await reader.read()).value ?? encode(""))).toBe("ab");
    await expect(reader.read()).rejects.toThrow("the site failed");
  });

  it("ends with the failure of a source that has sent nothing", async () => {
    const { body, fail } = createBody(type);
    const held = await failLater(holdBody(body, OPTIONS), fail);
    await expect(readAll(continueBody(held.bytes, held))).rejects.toThrow("the site failed");
  });

  it.each([
    ["before its first bytes", () => true],
    ["while its source is being read", () => false],
  ])("ends the work of its source if nobody reads it: %s", async (_, isEnough) => {
    const { body, cancelled, push } = createBody(type);
    push("ab");
    const held = await holdBody(body, { ...OPTIONS, maxWaitMs: 0, isEnough });
    await continueBody(held.bytes, held).cancel("gone");
    await expect.poll(() => cancelled).toHaveLength(1);
  });

  it("ends the work of its source if nobody reads it further", async () => {
    const { body, cancelled, push } = createBody(type);
    push("ab");
    const held = await holdBody(body, OPTIONS);
    const reader = continueBody(held.bytes, held).getReader();
    await reader.read();
    await reader.cancel("gone");
    await expect.poll(() => cancelled).toHaveLength(1);
  });
});

/** What becomes of a promise when the source fails. */
function failLater<T>(promise: Promise<T>, fail: (error: Error) => void): Promise<T> {
  setTimeout(() => fail(new Error("the site failed")), 0);
  return promise;
}
