import { createRootRoute, HeadContent, Link, Outlet, Scripts } from "@tanstack/react-router";

export const Route = createRootRoute({
  component: Root,
  notFoundComponent: () => <h1>Not here</h1>,
  shellComponent: ({ children }) => (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  ),
});

function Root() {
  return (
    <>
      <nav>
        <Link to="/order">Order</Link>
        <Link to="/clock">Clock</Link>
      </nav>
      <Outlet />
    </>
  );
}
