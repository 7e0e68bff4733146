/** How the stacks of a report are shown. */
import { createContext } from "react";
import type { EditorSetting } from "../../../core/repositories/editor-link.ts";
import type { CodeFinder } from "../../../core/repositories/source-link.ts";

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

/** Finds the lines of frames in the repositories of the project; null where they are not known. */
export const CodeFinderContext = createContext<CodeFinder | null>(null);

/** The editor of this browser; null without one. */
export const EditorContext = createContext<EditorSetting | null>(null);
