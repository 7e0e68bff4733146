import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { createErrorAdapter, reportFunction } from "errata/tanstack";
import { ClosedError } from "./closed-error";

// TanStack Start has it by default only in applications without this file.
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({
  serializationAdapters: [
    createErrorAdapter({ isPublic: (error) => error instanceof ClosedError }),
  ],
  requestMiddleware: [csrf],
  functionMiddleware: [createMiddleware({ type: "function" }).server(reportFunction)],
}));
