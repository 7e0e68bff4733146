/**
 * `render/react/react-stream.ts` writes what plain `react-dom/server` writes. Both render the same
 * pages, step by step, while a client reads. If a test fails after an upgrade of React, compare the
 * two builds again before you keep the new version.
 */
import fc from "fast-check";
import { type ReactNode, Suspense, use } from "react";
import { renderToReadableStream as plain } from "react-dom/server.edge";
import { describe, expect, it } from "vitest";
import { type ReactStreamOptions, renderToReadableStream } from "#src/render/react/react-stream.ts";
import { type CreatePage, type Later, pages } from "#support/react/react-pages.tsx";
import { anyText, createGates, Late, readRest, waitTwoTasks } from "#support/react/react-steps.tsx";

/** The options of both builds. */
type Options = Omit<ReactStreamOptions, "rewrite" | "onCancel" | "onEnd">;

type Build = (
  page: ReactNode,
  options: Options,
) => Promise<ReadableStream<Uint8Array> & { allReady: Promise<void> }>;

/** How a render is read. */
interface Scenario {
  readonly options?: Options;
  /** Waits for everything before it reads. */
  readonly isWhole?: boolean;
  /** Runs when the shell is being read, before the first gate opens. */
  readonly meanwhile?: (reader: ReadableStreamDefaultReader<Uint8Array>) => unknown;
}

/**
 * The bytes of a page, as Latin-1 so that differences are readable, and the errors that React
 * reported.
 */
async function renderSteps(
  build: Build,
  page: CreatePage,
  { options, isWhole, meanwhile }: Scenario = {},
) {
  const errors: string[] = [];
  const { later, open } = createGates();
  const onError = (error: unknown) => {
    errors.push(String(error));
    return `digest-${errors.length}`;
  };
  try {
    const stream = await build(page(later), { onError, nonce: "n0nce", ...options });
    if (isWhole) await Promise.all([open(), stream.allReady]);
    const reader = stream.getReader();
    const read = readRest(reader);
    await waitTwoTasks();
    await meanwhile?.(reader);
    await open();
    return { html: await read, errors };
  } catch (error) {
    return { broke: String(error), errors };
  }
}

async function expectSame(
  page: CreatePage,
  createScenario: () => Scenario = () => ({}),
): Promise<void> {
  const [expected, actual] = [
    await renderSteps(plain as Build, page, createScenario()),
    await renderSteps(renderToReadableStream, page, createScenario()),
  ];
  expect(actual).toEqual(expected);
}

const SCENARIOS: Readonly<Record<string, () => Scenario>> = {
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
  "aborted during the render": () => {
    const abort = new AbortController();
    return {
      options: { signal: abort.signal },
      meanwhile: () => abort.abort(new Error("too late")),
    };
  },
  "aborted before the render": () => ({ options: { signal: AbortSignal.abort(new Error("no")) } }),
  "cancelled by its reader": () => ({ meanwhile: (reader) => reader.cancel(new Error("gone")) }),
};

describe.each(Object.entries(pages))(
  "the stream has the bytes of the plain build: %s",
  (_name, page) => {
    it.each(Object.entries(SCENARIOS))("%s", async (_way, createScenario) => {
      await expectSame(page, createScenario);
    });
  },
);

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

  it("rejects if it is aborted, as plain React does", async () => {
    const Waits = ({ value }: { value: Promise<string> }) => use(value);
    await expectSame(
      () => <Waits value={new Promise(() => undefined)} />,
      () => ({
        options: { signal: AbortSignal.abort(new Error("no")) },
      }),
    );
  });
});

/** Any tree: texts of all kinds, attributes, and boundaries that render, suspend or fail. */
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

function renderTree(tree: Tree, later: Later, key = 0): ReactNode {
  if (typeof tree === "string") return tree;
  const children = tree.children.map((child, index) => renderTree(child, later, index));
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

it("the stream has the bytes of the plain build for any tree", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTree, { maxLength: 4 }), async (trees) => {
      await expectSame((later) => (
        <html lang="en">
          <body>{trees.map((tree, index) => renderTree(tree, later, index))}</body>
        </html>
      ));
    }),
    { numRuns: 60 },
  );
});

describe("React's build for Bun", () => {
  it("uses only the members of a Node stream that an HtmlByteStream has, and writes strings", async () => {
    // Not earlier: React must be loaded after the patches of `react-stream.ts`.
    const { renderToPipeableStream } = await import("react-dom/server.bun");
    const usedMembers = new Set<string | symbol>();
    const writes: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const flow = {
      write: (piece: unknown) => writes.push(piece) > 0,
      flush: () => undefined,
      on: () => undefined,
      end: resolve,
    };
    const recordingStream = new Proxy(flow, {
      get(target, name) {
        usedMembers.add(name);
        return Reflect.get(target, name);
      },
    });
    const { later, open } = createGates();
    const rendering = renderToPipeableStream(pages["fifty boundaries"]?.(later), {
      onShellReady: () => rendering.pipe(recordingStream as unknown as NodeJS.WritableStream),
    });
    await open();
    await promise;
    expect([...usedMembers].sort()).toEqual(["end", "flush", "on", "write"]);
    expect(writes.every((piece) => typeof piece === "string")).toBe(true);
  });
});
