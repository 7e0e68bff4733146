import { nameFailure, reportErrors } from "errata/hono";
import { createNoticeHtml } from "errata/notice";
import { Hono } from "hono";
import { raw } from "hono/html";
import { ErrorBoundary, type FC, type PropsWithChildren } from "hono/jsx";
import { renderToReadableStream, Suspense } from "hono/jsx/streaming";
import { jsxRenderer } from "hono/jsx-renderer";
import { getPrice, getTotal } from "./cart.ts";

/** Pages of hono/jsx. */
export const pages = new Hono();

const Layout: FC = ({ children }: PropsWithChildren) => (
  <html lang="en">
    <head>
      <title>Cart</title>
    </head>
    <body>{children}</body>
  </html>
);
const Price: FC<{ id: string }> = ({ id }) => <p>{getPrice(id)}</p>;
const Total: FC<{ id: string }> = async ({ id }) => <p>{await getTotal(id)}</p>;

const plain = jsxRenderer(({ children }) => <Layout>{children}</Layout>);
pages.get("/sync", plain, (c) => c.render(<Price id="js" />));
pages.get("/async", plain, (c) => c.render(<Total id="ja" />));

// A page that streams. Its parts show their own failures.
const streaming = jsxRenderer(({ children }) => <Layout>{children}</Layout>, { stream: true });
pages.get("/boundary", streaming, (c) =>
  c.render(
    <ErrorBoundary
      fallbackRender={(error) => raw(createNoticeHtml(nameFailure(error, c, { how: "render" })))}
    >
      <Suspense fallback={<p>Counting …</p>}>
        <Total id="jb" />
      </Suspense>
    </ErrorBoundary>,
  ),
);

// A page whose end shows what failed.
pages.get("/late", (c) => {
  const page = (
    <Layout>
      <Suspense fallback={<p>Counting …</p>}>
        <Total id="jl" />
      </Suspense>
    </Layout>
  );
  const headers = { "content-type": "text/html; charset=utf-8" };
  return c.body(renderToReadableStream(page, reportErrors(c, { hasNotices: true })), { headers });
});
