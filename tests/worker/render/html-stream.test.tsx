import { Suspense } from "react";
import { describe, expect, it } from "vitest";
import { HtmlByteStream } from "../../../src/render/react/html-stream.ts";
import { renderToReadableStream } from "../../../src/render/react/react-stream.ts";
import type { Later } from "../../support/react-pages.tsx";
import { aWhile, bytesOf, gates, Late } from "../../support/react-steps.tsx";

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

  it("has its first bytes before there is any data", async () => {
    const stream = await renderToReadableStream(page(() => new Promise(() => undefined)));
    expect(text((await stream.getReader().read()).value)).toContain("<h1>shell</h1>");
  });

  it("is read chunk by chunk, each when its boundary is there", async () => {
    const parts = [Promise.withResolvers<never>(), Promise.withResolvers<never>()];
    let made = 0;
    const stream = await renderToReadableStream(page(() => parts[made++]?.promise as never, 2));
    const reader = stream.getReader();
    await reader.read();
    for (const [n, { resolve }] of [...parts.entries()].reverse()) {
      resolve(`part ${n}` as never);
      expect(text((await reader.read()).value)).toContain(`part ${n}`);
    }
    expect((await reader.read()).done).toBe(true);
  });

  it("writes nothing before somebody reads, and no more than one part to somebody who does not read on", async () => {
    const { later, open } = gates();
    let sent = 0;
    const stream = await renderToReadableStream(page(later), {
      rewrite(html) {
        sent += html.length;
        return html;
      },
    });
    await aWhile();
    expect(sent).toBe(0);
    const reader = stream.getReader();
    const first = (await reader.read()).value?.length ?? 0;
    await open();
    await aWhile();
    expect(sent).toBeLessThan(first + 1.5 * LENGTH);
    const rest = await bytesOf(reader);
    expect(rest.match(/part \d+/g)).toHaveLength(20);
    expect(first + rest.length).toBe(sent);
  });

  it("stops rendering when its reader goes", async () => {
    const { later, open } = gates();
    const shown: string[] = [];
    const Shows = ({ name }: { name: string }) => {
      shown.push(name);
      return name;
    };
    const told: string[] = [];
    const stream = await renderToReadableStream(
      <main>
        <Suspense fallback="waits">
          <Shows name="shell" />
          <Late value={later(<Shows name="late" />)} />
        </Suspense>
      </main>,
      {
        onCancel: (reason) => told.push(`cancelled: ${reason}`),
        onEnd: () => told.push("ended"),
        onError: (error) => void told.push(String(error)),
      },
    );
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel("gone");
    await open();
    await aWhile();
    expect(shown).toEqual(["shell"]);
    expect(told).toEqual(["cancelled: gone", "ended", "gone"]);
  });

  it("is asked whether anybody reads by a newline, while somebody does", async () => {
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

  it("breaks when what rewrites it throws, and says that it has ended", async () => {
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

describe("what is written", () => {
  const RUN = "x".repeat(2_500);

  /** What `rewrite` receives when this is written to a stream with a reader. */
  async function asked(write: (flow: HtmlByteStream) => void, rewrite = (html: string) => html) {
    const asks: [html: string, isLast: boolean][] = [];
    const flow = new HtmlByteStream({
      onStart: write,
      rewrite(html, isLast) {
        asks.push([html, isLast]);
        return rewrite(html);
      },
      onCancel: () => undefined,
      onEnd: () => undefined,
    });
    const bytes = await bytesOf(flow.stream.getReader()).catch(() => null);
    return { asks, bytes };
  }

  it("is rewritten piece by piece, and only the last is the last", async () => {
    const { asks, bytes } = await asked((flow) => {
      flow.write(RUN);
      flow.write("y");
      flow.flush();
      flow.write(RUN);
      flow.write("z");
      flow.end();
    });
    expect(asks).toEqual([
      [RUN, false],
      ["y", false],
      [RUN, false],
      ["z", true],
    ]);
    expect(bytes).toBe(`${RUN}y${RUN}z`);
  });

  it("is rewritten once, also when that fails", async () => {
    const { asks } = await asked(
      (flow) => {
        flow.write(RUN);
        flow.write("y");
        expect(() => flow.flush()).toThrow("cannot");
        flow.end();
      },
      (html) => {
        if (html === "y") throw new Error("cannot");
        return html;
      },
    );
    expect(asks.filter(([html]) => html === RUN)).toHaveLength(1);
  });
});
