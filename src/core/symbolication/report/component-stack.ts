/** Component stacks of React, whose lines name scripts as those of stacks do. Pure. */
import { parseFrames } from "../../report/stacks/javascript-stack.ts";
import type { Frame } from "../../report.ts";
import type { FrameResolution } from "../resolution.ts";

/** Without the indentation that engines put before "at". */
export function removeIndentation(componentStack: string): string {
  return componentStack.trim().replace(/\n[ \t]+/g, "\n");
}

/** The frames of a component stack that name a line of a script, in order. */
export function parseComponentFrames(componentStack: string | undefined): readonly Frame[] {
  return (componentStack ?? "").split("\n").flatMap((line) => parseComponentLine(line) ?? []);
}

/**
 * The component stack with the resolved lines in the original source. React calls the constructors
 * of classes: their lines have the names of the classes.
 */
export function toOriginalComponentStack(
  componentStack: string,
  resolutions: readonly FrameResolution[],
): string {
  let index = 0;
  const lines = componentStack.split("\n").map((line) => {
    const frame = parseComponentLine(line);
    const resolution = frame === undefined ? undefined : resolutions[index++];
    if (resolution?.kind !== "resolved") return line;
    const { file, line: number, column } = resolution;
    const indentation = /^\s*/.exec(line)?.[0] ?? "";
    const name = (resolution.function ?? frame?.function)?.replace(/^new /, "");
    const position = `${file}:${number}:${column}`;
    return `${indentation}at ${name === undefined ? position : `${name} (${position})`}`;
  });
  return lines.join("\n");
}

function parseComponentLine(line: string): Frame | undefined {
  const [frame] = parseFrames(line);
  return frame?.line === undefined ? undefined : frame;
}
