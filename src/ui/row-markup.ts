/** The markup of rows that were rendered before. */
import { createContext } from "react";
import type { IssueRowProps } from "./issue-row.tsx";

/** The markup of a row as React makes it, from memory where it is; null where there is no memory: in a browser. */
export const RowMemory = createContext<((row: IssueRowProps) => string) | null>(null);
