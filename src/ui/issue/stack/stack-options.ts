/** How the stacks of a report are shown. */
import { createContext } from "react";

/** Options of all stacks of a report. */
export interface StackOptions {
  /** True if every frame shows its source and variables at once. */
  readonly isAllOpen: boolean;
  /** `here` for reports without a thrown error, such as a message. */
  readonly throwingText: "threw" | "here";
}

/** The options; by default those of an error. */
export const StackOptionsContext = createContext<StackOptions>({
  isAllOpen: false,
  throwingText: "threw",
});
