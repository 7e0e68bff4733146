/**
 * `errata/astro/actions`: the wrapper of `defineAction`. Astro turns what an action throws into its
 * result and tells nobody, and the message reaches the visitor.
 */

import { readProperty, readString } from "../core/read-property.ts";
import { nameFailure } from "./served-request.ts";
import { createShownError } from "./shown-error.ts";

/** The members of Astro's `ActionAPIContext` that the wrapper reads. */
interface Context {
  readonly request: Request;
  readonly routePattern: string;
}

/** What `defineAction` is given. */
interface ActionOptions {
  readonly handler: (input: never, context: Context) => unknown;
}

/**
 * `defineAction` of `astro:actions`, whose handlers report their failures: the message that the
 * caller gets has the digest. An `ActionError` is passed on as it is.
 */
export function wrapDefineAction<Define>(defineAction: Define): Define {
  const define = defineAction as (options: ActionOptions) => unknown;
  return ((options: ActionOptions) =>
    define({ ...options, handler: wrapHandler(options.handler) })) as Define;
}

function wrapHandler(handler: ActionOptions["handler"]): ActionOptions["handler"] {
  return async (input, context) => {
    try {
      return await handler(input, context);
    } catch (thrown) {
      throw replaceThrown(thrown, context);
    }
  };
}

function replaceThrown(thrown: unknown, { request, routePattern }: Context): unknown {
  const isActionError = readString(thrown, "type")?.startsWith("AstroAction") === true;
  const status = isActionError ? Number(readProperty(thrown, "status")) : 500;
  if (request.signal.aborted || status < 500) return thrown;
  const facts = { how: "action", route: routePattern, status };
  const named = nameFailure(thrown, request, facts);
  console.error(named.digest, thrown);
  return isActionError ? thrown : createShownError(named.digest, thrown);
}
