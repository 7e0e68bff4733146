/**
 * The team's Worker with @sentry/cloudflare, set up as its documentation says. Its only route
 * fails.
 */
import * as Sentry from "@sentry/cloudflare";

interface Env {
  readonly DSN: string;
}

function stockOf(item: string): number {
  throw new RangeError(`there is no ${item} in this shop`);
}

export default Sentry.withSentry(
  (env: Env) => ({ dsn: env.DSN, release: "stock@3", environment: "staging" }),
  {
    fetch(request: Request): Response {
      const { pathname } = new URL(request.url);
      Sentry.addBreadcrumb({ category: "stock", message: `asked for ${pathname}` });
      return Response.json({ left: stockOf(pathname.slice(1)) });
    },
  },
);
