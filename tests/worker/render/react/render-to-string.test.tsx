/**
 * `renderToString` of `render/react/react-stream.ts` returns what the one of `react-dom/server`
 * returns, from another build of React. If a test fails after an upgrade of React, compare the two
 * builds again before you keep the new version.
 */
import fc from "fast-check";
import { createContext, Fragment, type ReactNode, Suspense, use } from "react";
import { renderToString as plain } from "react-dom/server.edge";
import { describe, expect, it } from "vitest";
import { collectTasks } from "#src/render/react/patch-scheduling.ts";
import { renderToReadableStream, renderToString } from "#src/render/react/react-stream.ts";
import { pages } from "#support/react/react-pages.tsx";
import { anyText } from "#support/react/react-steps.tsx";

const DOCTYPE = "<!DOCTYPE html>";

/** Plain React omits the doctype that its streams have. */
function expectSame(content: ReactNode): void {
  const html = renderToString(content);
  expect(html.startsWith(DOCTYPE)).toBe(html.includes("<html"));
  expect(html.replace(DOCTYPE, "")).toBe(plain(content));
}

/** A page that suspends has no markup, see below. */
const complete = Object.entries(pages).filter(([, page]) => {
  let isComplete = true;
  page(() => {
    isComplete = false;
    return new Promise(() => undefined);
  });
  return isComplete;
});

type Tree =
  | string
  | number
  | false
  | null
  | { readonly tag: string; readonly title: string; readonly children: readonly Tree[] };

function renderTree(tree: Tree, key = 0): ReactNode {
  if (tree === null || typeof tree !== "object") return tree;
  const { tag, title } = tree;
  const children = tree.children.map((child, index) => renderTree(child, index));
  if (tag === "fragment") return <Fragment key={key}>{children}</Fragment>;
  if (tag === "boundary") return <Suspense key={key}>{children}</Suspense>;
  if (tag === "title") return <title key={key}>{title}</title>;
  const Element = tag as "p";
  return (
    <Element key={key} title={title}>
      {children}
    </Element>
  );
}

describe("the markup is that of the plain build", () => {
  it.each(complete)("%s", (_name, page) => {
    expectSame(page(() => new Promise(() => undefined)));
  });

  it("of any tree", () => {
    const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        anyText,
        fc.constantFrom<Tree>(null, false, 0, 12.5, "", " "),
        fc.record({
          tag: fc.constantFrom("p", "div", "span", "option", "title", "fragment", "boundary"),
          title: anyText,
          children: fc.array(tie("tree"), { maxLength: 4 }),
        }),
      ),
    }));
    fc.assert(
      fc.property(anyTree, (tree) => expectSame(renderTree(tree))),
      { numRuns: 200 },
    );
  });
});

describe("a synchronous render", () => {
  const Depth = createContext(0);
  const Shown = ({ name }: { name: string }) => (
    <i>
      {name} {use(Depth)}
    </i>
  );

  it("can run within a component that is being streamed, with separate contexts", async () => {
    const Outer = () => {
      const html = renderToString(
        <Depth value={2}>
          <Shown name="inner" />
        </Depth>,
      );
      return [html, renderToString(<Shown name="without" />), <Shown key="own" name="outer" />];
    };
    const stream = await renderToReadableStream(
      <Depth value={1}>
        <Outer />
        <Shown name="next" />
      </Depth>,
    );
    expect(await new Response(stream).text()).toBe(
      "&lt;i&gt;inner&lt;!-- --&gt; &lt;!-- --&gt;2&lt;/i&gt;<!-- -->" +
        "&lt;i&gt;without&lt;!-- --&gt; &lt;!-- --&gt;0&lt;/i&gt;" +
        "<i>outer<!-- --> <!-- -->1</i><i>next<!-- --> <!-- -->1</i>",
    );
  });

  it("throws what a component throws, and the next one succeeds", () => {
    const error = new RangeError("no total");
    const Fails = (): ReactNode => {
      throw error;
    };
    const html = () =>
      renderToString(
        <Depth value={1}>
          <Fails />
        </Depth>,
      );
    expect(html).toThrow(error);
    expect(renderToString(<Shown name="next" />)).toBe("<i>next<!-- --> <!-- -->0</i>");
  });

  it("throws if a component suspends, even within a boundary", () => {
    const never = new Promise<string>(() => undefined);
    const Waits = () => use(never);
    const message = "A component suspended in a synchronous render";
    expect(() => renderToString(<Waits />)).toThrow(message);
    const inBoundary = (
      <Suspense fallback="waits">
        <Waits />
      </Suspense>
    );
    expect(() => renderToString(inBoundary)).toThrow(message);
  });
});

describe("tasks", () => {
  it("are collected only while they are scheduled for that, in order", async () => {
    const ran: string[] = [];
    const [result, tasks] = collectTasks(() => {
      setTimeout(() => ran.push("timer"));
      queueMicrotask(() => ran.push("microtask"));
      return "result";
    });
    await new Promise((resolve) => setTimeout(resolve));
    expect([result, tasks.length, ran]).toEqual(["result", 2, []]);
    for (const task of tasks) task();
    expect(ran).toEqual(["timer", "microtask"]);
  });

  it("run as usual otherwise, also after one that could not be scheduled", async () => {
    expect(() =>
      collectTasks(() => {
        throw new Error("not scheduled");
      }),
    ).toThrow("not scheduled");
    const microtask = Promise.withResolvers<string>();
    queueMicrotask(() => microtask.resolve("microtask"));
    expect(await microtask.promise).toBe("microtask");
    const sum = await new Promise((resolve) =>
      setTimeout((a: number, b: number) => resolve(a + b), 0, 1, 2),
    );
    expect(sum).toBe(3);
  });

  it("can be cancelled if they are timers", async () => {
    let hasRun = false;
    clearTimeout(
      setTimeout(() => {
        hasRun = true;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve));
    expect(hasRun).toBe(false);
  });
});
