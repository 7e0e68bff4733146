import { Suspense } from "react";
import { describe, expect, it } from "vitest";
import { HtmlByteStream } from "#src/render/react/html-stream.ts";
import { renderToReadableStream } from "#src/render/react/react-stream.ts";
import type { Later } from "#support/react/react-pages.tsx";
import { createGates, Late, readRest, waitTwoTasks } from "#support/react/react-steps.tsx";

describe("a stream", () => {
  const LENGTH = 10_000;
  const page = (later: Later, count = 20) => (
    <main>
      <h1>shell</h1>
      {Array.from({ length: count }, (_, n) => (
        <Suspense key={n} fallback={<i>waits</i>}>
          <Late value={later(<p>{`part ${n} ${"x".repeat(LENGTH)}`}</p>)} />
        </Suspense>
      ))}
    </main>
  );
  const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

  it("sends its first bytes before any data is available", async () => {
    const stream = await renderToReadableStream(page(() => new Promise(() => undefined)));
    expect(text((await stream.getReader().read()).value)).toContain("<h1>shell</h1>");
  });

  it("is read chunk by chunk, each as soon as its boundary has data", async () => {
    const parts = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
    let nextPart = 0;
    const stream = await renderToReadableStream(page(() => parts[nextPart++]?.promise as never, 2));
    const reader = stream.getReader();
    await reader.read();
    for (const [n, { resolve }] of [...parts.entries()].reverse()) {
      resolve(`part ${n}` as never);
      expect(text((await reader.read()).value)).toContain(`part ${n}`);
    }
    expect((await reader.read()).done).toBe(true);
  });

  it("writes nothing before the first read, and at most one part ahead of the reader", async () => {
    const { later, open } = createGates();
    let sent = 0;
    const stream = await renderToReadableStream(page(later), {
      rewrite(html) {
        sent += html.length;
        return html;
      },
    });
    await waitTwoTasks();
    expect(sent).toBe(0);
    const reader = stream.getReader();
    const first = (await reader.read()).value?.length ?? 0;
    await open();
    await waitTwoTasks();
    expect(sent).toBeLessThan(first + 1.5 * LENGTH);
    const rest = await readRest(reader);
    expect(rest.match(/part \d+/g)).toHaveLength(20);
    expect(first + rest.length).toBe(sent);
  });

  it("stops rendering when its reader cancels", async () => {
    const { later, open } = createGates();
    const renderedNames: string[] = [];
    const Shows = ({ name }: { name: string }) => {
      renderedNames.push(name);
      return name;
    };
    const events: string[] = [];
    const stream = await renderToReadableStream(
      <main>
        <Suspense fallback="waits">
          <Shows name="shell" />
          <Late value={later(<Shows name="late" />)} />
        </Suspense>
      </main>,
      {
        onCancel: (reason) => events.push(`cancelled: ${reason}`),
        onEnd: () => events.push("ended"),
        onError: (error) => void events.push(String(error)),
      },
    );
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel("gone");
    await open();
    await waitTwoTasks();
    expect(renderedNames).toEqual(["shell"]);
    expect(events).toEqual(["cancelled: gone", "ended", "gone"]);
  });

  it("probes with a newline whether a reader waits for data", async () => {
    const stream = await renderToReadableStream(
      page(() => new Promise(() => undefined)),
      { onError: () => undefined },
    );
    expect(stream.probeDemand()).toBe(false);
    const reader = stream.getReader();
    await reader.read();
    expect(stream.probeDemand()).toBe(true);
    expect(text((await reader.read()).value)).toBe("\n");
    await reader.cancel();
    expect(stream.probeDemand()).toBe(false);
  });

  it("fails if its rewriter throws, and calls onEnd", async () => {
    let ends = 0;
    const stream = await renderToReadableStream(<p>text</p>, {
      rewrite() {
        throw new Error("cannot rewrite");
      },
      onEnd: () => ends++,
      onError: () => undefined,
    });
    await expect(stream.getReader().read()).rejects.toThrow("cannot rewrite");
    expect(ends).toBe(1);
  });
});

describe("the text that is written to a stream", () => {
  const LONG_TEXT = "x".repeat(2_500);

  /** What `rewrite` receives when this is written to a stream with a reader. */
  async function recordRewrites(
    write: (flow: HtmlByteStream) => void,
    rewrite = (html: string) => html,
  ) {
    const rewrites: [html: string, isLast: boolean][] = [];
    const flow = new HtmlByteStream({
      onStart: write,
      rewrite(html, isLast) {
        rewrites.push([html, isLast]);
        return rewrite(html);
      },
      onCancel: () => undefined,
      onEnd: () => undefined,
    });
    const bytes = await readRest(flow.stream.getReader()).catch(() => null);
    return { asks: rewrites, bytes };
  }

  it("is rewritten in pieces, of which only the last is marked as last", async () => {
    const { asks: rewrites, bytes } = await recordRewrites((flow) => {
      flow.write(LONG_TEXT);
      flow.write("y");
      flow.flush();
      flow.write(LONG_TEXT);
      flow.write("z");
      flow.end();
    });
    expect(rewrites).toEqual([
      [LONG_TEXT, false],
      ["y", false],
      [LONG_TEXT, false],
      ["z", true],
    ]);
    expect(bytes).toBe(`${LONG_TEXT}y${LONG_TEXT}z`);
  });

  it("is rewritten once, even if rewriting fails", async () => {
    const { asks: rewrites } = await recordRewrites(
      (flow) => {
        flow.write(LONG_TEXT);
        flow.write("y");
        expect(() => flow.flush()).toThrow("cannot");
        flow.end();
      },
      (html) => {
        if (html === "y") throw new Error("cannot");
        return html;
      },
    );
    expect(rewrites.filter(([html]) => html === LONG_TEXT)).toHaveLength(1);
  });
});
