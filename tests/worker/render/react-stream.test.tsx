/**
 * `render/react/react-stream.ts` writes what plain `react-dom/server` writes. Both render the same
 * pages, step by step, while a client reads. If a test fails after an upgrade of React, compare the
 * two builds again before you keep the new version.
 */
import fc from "fast-check";
import { type ReactNode, Suspense, use } from "react";
import { renderToPipeableStream } from "react-dom/server.bun";
import { renderToReadableStream as plain } from "react-dom/server.edge";
import { describe, expect, it } from "vitest";
import {
  type ReactStreamOptions,
  renderToReadableStream,
} from "../../../src/render/react/react-stream.ts";
import { type Later, type MakePage, pages } from "../../support/react-pages.tsx";
import { anyText, aWhile, bytesOf, gates, Late } from "../../support/react-steps.tsx";

/** The options of both builds. */
type Options = Omit<ReactStreamOptions, "rewrite" | "onCancel" | "onEnd">;

type Build = (
  page: ReactNode,
  options: Options,
) => Promise<ReadableStream<Uint8Array> & { allReady: Promise<void> }>;

/** How a render is looked at. */
interface Way {
  readonly options?: Options;
  /** Waits for everything before it reads. */
  readonly isWhole?: boolean;
  /** Done when the shell is there and is being read, before the first gate opens. */
  readonly meanwhile?: (reader: ReadableStreamDefaultReader<Uint8Array>) => unknown;
}

/**
 * The bytes of a page, as Latin-1 so that a difference can be read, and what React said of what
 * failed.
 */
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
