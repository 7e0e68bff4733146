import { sequence } from "@sveltejs/kit/hooks";
import { handle as errata } from "errata/sveltekit";

export { handleError } from "errata/sveltekit";

export const handle = sequence(errata, ({ event, resolve }) => {
  if (event.url.pathname === "/hook") throw new Error("no door: secret-of-the-kitchen");
  return resolve(event);
});
