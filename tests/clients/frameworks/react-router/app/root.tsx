import { Notice } from "errata/react";
import { errataMiddleware } from "errata/react-router";
import type { ReactNode } from "react";
import { Form, isRouteErrorResponse, Link, Links, Meta, Outlet, Scripts } from "react-router";

export const middleware = [errataMiddleware];

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Kitchen</title>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

const PATHS = ["/", "/cart/7", "/account", "/menu", "/stock", "/text", "/expected", "/clock"];

export default function App() {
  return (
    <>
      <nav>
        {PATHS.map((path) => (
          <Link key={path} to={path}>
            {path}
          </Link>
        ))}
        <Form method="post" action="/order">
          <button type="submit">Order</button>
        </Form>
      </nav>
      <Outlet />
    </>
  );
}

export function ErrorBoundary({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <h1>Not on the menu</h1>;
  return <Notice error={error} />;
}
