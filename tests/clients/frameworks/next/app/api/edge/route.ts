import { wrapRouteHandler } from "errata/next";

export const runtime = "edge";

export const GET = wrapRouteHandler((): Response => {
  throw new Error("no kettle for the API, secret-of-the-kitchen");
});
