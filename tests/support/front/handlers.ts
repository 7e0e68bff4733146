/** A Worker of a site, with the front around it, for the tests of `errata/front`. */
import { type FrontContext, front } from "../../../src/front/front.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const encode = (text: string) => new TextEncoder().encode(text);

/** The page of each path. */
const pages: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "/text": () => new Response("<html><head><title>x</title></head></html>", { headers: HTML }),
  // As React renders: a stream of a script, in several turns.
  "/stream": () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          for (const chunk of [
            "<html><he",
            "ad><title>",
            "x</title></head><body>",
            "</body></html>",
          ]) {
            controller.enqueue(encode(chunk));
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
          controller.close();
        },
      }),
      // Too short, which nobody notices without the front.
      { headers: { ...HTML, "content-length": "7" } },
    ),
  "/failed-stream": () =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(encode("<html><head><title>x"));
          setTimeout(() => controller.error(new Error("a late failure")), 5);
        },
      }),
      { headers: HTML },
    ),
  "/packed": async () => {
    const packed = new Response("<html><head><title>x</title>").body?.pipeThrough(
      new CompressionStream("gzip"),
    );
    const init: ResponseInit & { encodeBody: "manual" } = {
      headers: { ...HTML, "content-encoding": "gzip" },
      encodeBody: "manual",
    };
    return new Response(await new Response(packed).arrayBuffer(), init);
  },
  "/failed": () => new Response("<html><body>Sorry</body></html>", { status: 500, headers: HTML }),
  "/json": () => Response.json({ a: 1 }),
  "/throw": () => {
    throw new Error("the site's own error");
  },
};

interface SiteEnvironment {
  readonly GREETING: string;
}

// biome-ignore lint/style/noDefaultExport: a Worker
export default front(
  {
    greeting: "hello",
    /** Uses `this`, the environment and the context, as handlers do. */
    fetch(request: Request, env: SiteEnvironment, context: FrontContext) {
      const { pathname } = new URL(request.url);
      if (pathname === "/own") {
        context.waitUntil(Promise.resolve());
        return Response.json([this.greeting, env.GREETING]);
      }
      return pages[pathname]?.() ?? new Response(null, { status: 404 });
    },
  },
  { release: "site@1", environment: undefined },
);
