import { defineMiddleware } from "astro:middleware";

export const onRequest = defineMiddleware((context, next) => {
  if (context.url.pathname === "/hook") throw new Error("no door: secret-of-the-kitchen");
  return next();
});
