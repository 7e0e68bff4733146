/**
 * `errata/tanstack/server`: the `fetch` of `src/server.ts`. TanStack Start's own handler renders
 * pages without telling the application about errors.
 */

import { addPageFacts } from "./served-request.ts";
import { createPageHandler, type PageHandler, type PagePackages } from "./tanstack-render.ts";
import { nameThrown } from "./tanstack-requests.ts";

/** Modules of the application: `import * as`. */
export interface StartPackages extends PagePackages {
  /** `@tanstack/react-start/server`. */
  readonly start: object;
}

/** The part of `@tanstack/react-start/server` that is called. */
interface Start {
  readonly createStartHandler: (options: object) => Fetch;
  readonly handleStartError?: (error: unknown) => Response;
  readonly defaultStreamHandler: PageHandler;
}

type Fetch = (request: Request, options?: unknown) => Response | Promise<Response>;

/**
 * The `fetch` for `createServerEntry`. `options` are those of `createStartHandler` besides the
 * handler.
 */
export function createFetch(packages: StartPackages, options: object = {}): Fetch {
  const { createStartHandler, handleStartError, defaultStreamHandler } = packages.start as Start;
  const handler = createPageHandler(packages, defaultStreamHandler);
  const fetch = createStartHandler({ ...options, handler });
  return async function fetchWithErrata(request, requestOptions) {
    try {
      return await addPageFacts(await fetch(request, requestOptions), request);
    } catch (error) {
      if (error instanceof Response) throw error;
      const response = handleStartError?.(error);
      const status = response?.status ?? 500;
      if (status >= 500) nameThrown(error, request, { how: "request", status });
      // Older versions of TanStack Start answer it themselves.
      if (response === undefined) throw error;
      return addPageFacts(response, request);
    }
  };
}
