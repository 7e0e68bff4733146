/** How a table gets the markup of its rows where it need not render them. */
import { createContext } from "react";
import type { IssueRowProps } from "./issue-row.tsx";

/** The markup of a row as React makes it, from memory where it is; null where there is no memory: in a browser. */
export const RowMarkup = createContext<((row: IssueRowProps) => string) | null>(null);
