import { createHandleError } from "errata/sveltekit/client";

export const handleError = createHandleError({
  to: `${import.meta.env.VITE_ERRATA}/monitoring`,
});
