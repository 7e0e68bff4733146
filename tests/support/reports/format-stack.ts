/** Errors that were parsed from text, as text that a test can compare line by line. */
import { parseTextStack } from "#src/core/report/stacks/parse-text-stack.ts";
import type { Frame, Platform, ReportedError } from "#src/core/report.ts";

/**
 * The error, its frames and its causes: `KeyError: 'x'`, then frames indented by two spaces, with a
 * `*` before frames of libraries, then each cause after the number of its parent.
 */
export function formatStack(text: string, platform?: Platform): readonly string[] {
  const stack = parseTextStack(text, platform);
  if (stack === undefined) return [];
  const { type = "?", message = "?", causes, ...error } = stack;
  return [
    `${stack.platform} ${formatError({ ...error, type, message })}`,
    ...error.frames.map(formatFrame),
    ...causes.flatMap((cause, index) => [
      `${cause.parent ?? index} > ${formatError(cause)}`,
      ...cause.frames.map(formatFrame),
    ]),
  ];
}

function formatError({ type, message, isGroup }: ReportedError): string {
  return `${isGroup ? "group " : ""}${type}: ${message}`;
}

/** `com.acme.Bill | total @ Bill.java:12 [shop.jar] 0x12 « source »`. */
function formatFrame(frame: Frame): string {
  const { module, function: name, file, line, column, address, source } = frame;
  const position = [file, line, column].filter((part) => part !== undefined).join(":");
  const parts = [
    [module, name].filter((part) => part !== undefined).join(" | "),
    position === "" ? "" : `@ ${position}`,
    frame.package === undefined ? "" : `[${frame.package}]`,
    address ?? "",
    source === undefined ? "" : `« ${source} »`,
  ];
  return `${frame.inApp ? "  " : "* "}${parts.filter((part) => part !== "").join(" ")}`;
}
