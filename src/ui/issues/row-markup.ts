/** The cache of rendered rows, as a context. */
import { createContext } from "react";
import type { IssueRowProps } from "./issue-row.tsx";

/**
 * A function that returns the markup of a row as React renders it. Null in a browser, which has no
 * cache.
 */
export const RowMarkup = createContext<((row: IssueRowProps) => string) | null>(null);
