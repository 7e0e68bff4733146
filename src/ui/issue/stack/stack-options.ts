/** How the stacks of a report are shown. */
import { createContext } from "react";

/** Options of all stacks of a report. */
interface StackOptions {
  /** True if every frame shows its source and variables at once. */
  readonly isAllOpen: boolean;
  /** `here` for a report of which nothing was thrown, such as a message. */
  readonly throwingText: "threw" | "here";
}

/** The options; of an error by default. */
export const StackOptionsContext = createContext<StackOptions>({
  isAllOpen: false,
  throwingText: "threw",
});
