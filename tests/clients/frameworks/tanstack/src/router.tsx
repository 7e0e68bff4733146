import { createRouter } from "@tanstack/react-router";
import { withErrata } from "errata/tanstack";
import { Failed } from "./failed";
import { routeTree } from "./routeTree.gen";

export function getRouter() {
  const router = createRouter({ routeTree, defaultErrorComponent: Failed });
  return withErrata(router, { to: import.meta.env.VITE_ERRATA_URL });
}
