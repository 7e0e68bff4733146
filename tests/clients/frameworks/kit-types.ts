/** The adapters fit the types of their frameworks. Nothing here runs. */

import type { Handle, HandleClientError, HandleServerError } from "@sveltejs/kit/hooks";
import type { AstroIntegration, MiddlewareHandler } from "astro";
import type { NitroAppPlugin } from "nitropack/types";
import { errata as integrate } from "../../../src/adapters/astro.ts";
import { onRequest } from "../../../src/adapters/astro-middleware.ts";
import installNitroPlugin from "../../../src/adapters/nuxt-nitro.ts";
import * as hooks from "../../../src/adapters/sveltekit.ts";
import { createHandleError } from "../../../src/adapters/sveltekit-client.ts";

export const handle: Handle = hooks.handle;
export const handleError: HandleServerError = hooks.handleError;
export const ownHandleError: HandleServerError = hooks.withDigest(({ error, digest }) => {
  console.error(digest, error);
  return { message: "Sorry" };
});
export const silentHandleError: HandleServerError = hooks.withDigest(async () => undefined);
export const clientHandleError: HandleClientError = createHandleError({ to: "/monitoring" });
export const integration: AstroIntegration = integrate({ browser: { to: "/monitoring" } });
export const middleware: MiddlewareHandler = onRequest;
export const nitroPlugin: NitroAppPlugin = installNitroPlugin;
