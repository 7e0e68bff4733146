/**
 * The Worker that `npm run deploy:front` puts on the routes of a site. Whatever fails in it, the
 * runtime sends the request to the site itself.
 */

import { type FrontContext, front } from "./front.ts";

const inFront = front({
  fetch: (request: Request, _env: object, _context: FrontContext) => fetch(request),
});

export default {
  fetch(
    request: Request,
    env: object,
    context: FrontContext & { passThroughOnException(): void },
  ): Response | Promise<Response> {
    context.passThroughOnException();
    return inFront.fetch(request, env, context);
  },
};
