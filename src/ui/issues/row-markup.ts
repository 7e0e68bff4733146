/** The cache of rendered rows, as a context. */
import { createContext } from "react";
import type { IssueRowProps } from "./issue-row.tsx";

/** Returns the markup of a row as React renders it. Null without a cache: in a browser. */
export const RowMarkup = createContext<((row: IssueRowProps) => string) | null>(null);
