/**
 * `render/react-stream.ts` writes what plain `react-dom/server` writes. Both render the same pages here, step by step, while
 * somebody reads. When an upgrade of React makes a test red, compare anew before the version is taken.
 */
import { Buffer as RuntimeBuffer } from "node:buffer";
import fc from "fast-check";
import { type ReactNode, Suspense, use } from "react";
import { renderToPipeableStream } from "react-dom/server.bun";
import { renderToReadableStream as plain } from "react-dom/server.edge";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/render/byte-length.ts";
import { type ReactStreamOptions, renderToReadableStream } from "../../src/render/react-stream.ts";
import { type Later, type MakePage, pages } from "../support/react-pages.tsx";

/** What both builds understand. */
type Options = Omit<ReactStreamOptions, "rewrite" | "cancelled" | "ended">;

type Build = (
  page: ReactNode,
  options: Options,
) => Promise<ReadableStream<Uint8Array> & { allReady: Promise<void> }>;

/** React works in tasks; after two of them whatever could be done and written has been. */
async function aWhile(): Promise<void> {
  for (let task = 0; task < 2; task++) await new Promise((resolve) => setTimeout(resolve));
}

/** Makes promises, and settles them one by one, with time to render and to write between them. */
function gates() {
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

/** How a render is looked at. */
interface Way {
  readonly options?: Options;
  /** Waits for everything before it reads. */
  readonly isWhole?: boolean;
  /** Done when the shell is there and is being read, before the first gate opens. */
  readonly meanwhile?: (reader: ReadableStreamDefaultReader<Uint8Array>) => unknown;
}

/** The bytes of a page, as Latin-1 so that a difference can be read, and what React said of what failed. */
async function rendered(build: Build, page: MakePage, { options, isWhole, meanwhile }: Way = {}) {
  const told: string[] = [];
  const { later, open } = gates();
  const onError = (error: unknown) => {
    told.push(String(error));
    return `digest-${told.length}`;
  };
  try {
    const stream = await build(page(later), { onError, nonce: "n0nce", ...options });
    if (isWhole) await Promise.all([open(), stream.allReady]);
    const reader = stream.getReader();
    const read = bytesOf(reader);
    await aWhile();
    await meanwhile?.(reader);
    await open();
    return { html: await read, told };
  } catch (error) {
    return { broke: String(error), told };
  }
}

async function bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let html = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    html += Buffer.from(value ?? []).toString("latin1");
  }
  return html;
}

async function expectSame(page: MakePage, way: () => Way = () => ({})): Promise<void> {
  const [expected, is] = [
    await rendered(plain as Build, page, way()),
    await rendered(renderToReadableStream, page, way()),
  ];
  expect(is).toEqual(expected);
}

const WAYS: Readonly<Record<string, () => Way>> = {
  "as it streams": () => ({}),
  whole: () => ({ isWhole: true, options: { progressiveChunkSize: Number.POSITIVE_INFINITY } }),
  "with scripts": () => ({
    options: {
      bootstrapModules: ["/page.js"],
      bootstrapScripts: [{ src: "/old.js", integrity: "sha256-x" }],
      bootstrapScriptContent: 'a = "</script>"',
      identifierPrefix: "e-",
    },
  }),
  "in small parts": () => ({ options: { progressiveChunkSize: 1 } }),
  "given up on the way": () => {
    const abort = new AbortController();
    return {
      options: { signal: abort.signal },
      meanwhile: () => abort.abort(new Error("too late")),
    };
  },
  "given up before it began": () => ({ options: { signal: AbortSignal.abort(new Error("no")) } }),
  "left by its reader": () => ({ meanwhile: (reader) => reader.cancel(new Error("gone")) }),
};

describe.each(Object.entries(pages))("writes the bytes of the plain build: %s", (_name, page) => {
  it.each(Object.entries(WAYS))("%s", async (_way, way) => {
    await expectSame(page, way);
  });
});

describe("a shell that fails", () => {
  const Fails = (): ReactNode => {
    throw new RangeError("the shell");
  };

  it("rejects, as plain React does", async () => {
    await expectSame(() => <Fails />);
    await expect(renderToReadableStream(<Fails />, { onError: () => "x" })).rejects.toThrow(
      "the shell",
    );
  });

  it("rejects when it is given up, as plain React does", async () => {
    const Waits = ({ value }: { value: Promise<string> }) => use(value);
    await expectSame(
      () => <Waits value={new Promise(() => undefined)} />,
      () => ({
        options: { signal: AbortSignal.abort(new Error("no")) },
      }),
    );
  });
});

/** Any tree: texts of all kinds, attributes, and boundaries that are there, come late or fail. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "é", "<", "&", '"', "x", "日", "\n") }),
  fc.nat(3_000).map((length) => "aü".repeat(length)),
);
type Tree =
  | string
  | { readonly tag: string; readonly title: string; readonly children: readonly Tree[] }
  | { readonly waits: "no" | "late" | "fails"; readonly children: readonly Tree[] };
const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    anyText,
    fc.record({
      tag: fc.constantFrom("p", "div", "span", "ul", "option", "textarea", "title"),
      title: anyText,
      children: fc.array(tie("tree"), { maxLength: 4 }),
    }),
    fc.record({
      waits: fc.constantFrom("no" as const, "late" as const, "fails" as const),
      children: fc.array(tie("tree"), { maxLength: 3 }),
    }),
  ),
}));

function Late({ value }: { value: Promise<ReactNode> }) {
  return use(value);
}

function pageOf(tree: Tree, later: Later, key = 0): ReactNode {
  if (typeof tree === "string") return tree;
  const children = tree.children.map((child, index) => pageOf(child, later, index));
  if ("waits" in tree) {
    const value = tree.waits === "fails" ? new Error("failed") : children;
    return (
      <Suspense key={key} fallback={<i>…</i>}>
        {tree.waits === "no" ? children : <Late value={later<ReactNode>(value)} />}
      </Suspense>
    );
  }
  const { tag: Tag, title } = tree;
  if (Tag === "textarea") return <textarea key={key} title={title} defaultValue={title} />;
  if (Tag === "title") return <title key={key}>{title}</title>;
  const Element = Tag as "p";
  return (
    <Element key={key} title={title}>
      {children}
    </Element>
  );
}

it("writes the bytes of the plain build for any tree", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTree, { maxLength: 4 }), async (trees) => {
      await expectSame((later) => (
        <html lang="en">
          <body>{trees.map((tree, index) => pageOf(tree, later, index))}</body>
        </html>
      ));
    }),
    { numRuns: 60 },
  );
});

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
        cancelled: (reason) => told.push(`cancelled: ${reason}`),
        ended: () => told.push("ended"),
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
    expect(stream.probe()).toBe(false);
    const reader = stream.getReader();
    await reader.read();
    expect(stream.probe()).toBe(true);
    expect(text((await reader.read()).value)).toBe("\n");
    await reader.cancel();
    expect(stream.probe()).toBe(false);
  });

  it("breaks when what rewrites it throws, and says that it has ended", async () => {
    let ends = 0;
    const stream = await renderToReadableStream(<p>text</p>, {
      rewrite() {
        throw new Error("cannot rewrite");
      },
      ended: () => ends++,
      onError: () => undefined,
    });
    await expect(stream.getReader().read()).rejects.toThrow("cannot rewrite");
    expect(ends).toBe(1);
  });
});

describe("React's build for Bun", () => {
  it("uses no more of a Node stream than a flow has, and writes strings into it", async () => {
    const used = new Set<string | symbol>();
    const written: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const flow = {
      write: (piece: unknown) => written.push(piece) > 0,
      flush: () => undefined,
      on: () => undefined,
      end: resolve,
    };
    const recorded = new Proxy(flow, {
      get(target, name) {
        used.add(name);
        return Reflect.get(target, name);
      },
    });
    const { later, open } = gates();
    const rendering = renderToPipeableStream(pages["fifty boundaries"]?.(later), {
      onShellReady: () => rendering.pipe(recorded as unknown as NodeJS.WritableStream),
    });
    await open();
    await promise;
    expect([...used].sort()).toEqual(["end", "flush", "on", "write"]);
    expect(written.every((piece) => typeof piece === "string")).toBe(true);
  });
});

describe("the global Buffer", () => {
  it("looks as the runtime's own does", () => {
    expect(Object.getOwnPropertyDescriptor(globalThis, "Buffer")).toEqual({
      value: RuntimeBuffer,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  });

  it("counts the bytes that a text is encoded to, of any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { length } = new TextEncoder().encode(text);
        expect(utf8Length(text)).toBe(length);
        expect(Buffer.byteLength(text, "utf8")).toBe(length);
      }),
    );
  });

  it("counts everything else as ever", () => {
    expect(Buffer.byteLength("ü")).toBe(2);
    expect(Buffer.byteLength("ü", "latin1")).toBe(1);
    expect(Buffer.byteLength("c3bc", "hex")).toBe(2);
    expect(Buffer.byteLength(new Uint8Array(3))).toBe(3);
  });
});
