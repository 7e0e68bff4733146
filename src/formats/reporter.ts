/**
 * What Errata's own browser reporter sends: one JSON object, so that a beacon can carry it.
 *
 *     {"errata":1,"id":"<32 hex>","how":"uncaught","type":"TypeError","message":"…","stack":"…","url":"…","at":1795277313733}
 *
 * `how` says how it was noticed: `uncaught`, `rejection`, `recovered`, `caught`, `mismatch`, `chunk`, and `notice` for a
 * visitor who was shown the notice. Optional: `componentStack`, `digest` (the one that was shown, or another framework's),
 * `report` (the server's report that the notice named), `release`, `environment`, `language`, `viewport`, `translated` (true
 * where the browser has translated the page).
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import { createCuts } from "./cuts.ts";
import { idOf, numberOf, recordOf, textOf, timeMsOf } from "./decode.ts";
import { codesOf } from "./foreign-codes.ts";
import { stackFrames } from "./frames.ts";
import { drafted, invalid, itemName } from "./parsed.ts";
import { requestOf } from "./request.ts";
import { tagsOf } from "./tags.ts";
import { pathOf } from "./urls.ts";

const VERSION = 1;

/** What becomes of one report. Invalid without `errata: 1`, and when it has neither a type nor a message. */
export function parseReporter(value: unknown): readonly Parsed[] {
  const fields = recordOf(value);
  if (fields === undefined) return [invalid("report", "not-an-object", "report: a JSON object")];
  const how = itemName(fields.how);
  if (numberOf(fields.errata) !== VERSION) {
    return [invalid(how, "missing-field", `report: "errata": ${VERSION}`)];
  }
  const notice = how === "notice";
  const cuts = createCuts();
  const type = cuts.text("type", fields.type, limits.maxTypeChars);
  const message = cuts.text("message", fields.message, limits.maxMessageChars);
  if (type === undefined && message === undefined && !notice) {
    return [invalid(how, "missing-field", "report: a type or a message")];
  }
  const stack = cuts.text("stack", fields.stack, limits.maxStackChars);
  const text = (name: string, sent: unknown) => cuts.text(name, sent, limits.maxStringChars);
  return [
    drafted(how, {
      kind: notice ? "notice" : "error",
      side: "browser",
      format: "reporter",
      type: notice ? "Notice" : (type ?? "Error"),
      message: message ?? "",
      level: notice ? "info" : "error",
      frames: stackFrames(stack, cuts),
      ...codesOf([fields.digest]),
      ...present({
        id: idOf(fields.id),
        occurredAtMs: timeMsOf(fields.at),
        stack,
        componentStack: cuts.text(
          "componentStack",
          fields.componentStack,
          limits.maxComponentStackChars,
        ),
        request: requestOf({ url: fields.url, route: routeOf(fields.url) }, cuts),
        release: text("release", fields.release),
        environment: text("environment", fields.environment),
        tags: tagsOf(
          [
            ["how", how],
            ["report", idOf(fields.report)],
            ["language", textOf(fields.language)],
            ["viewport", textOf(fields.viewport)],
            ["translated", fields.translated === true ? "true" : undefined],
          ],
          cuts,
        ),
        cut: cuts.names(),
      }),
    }),
  ];
}

function routeOf(url: unknown): string | undefined {
  return typeof url === "string" ? pathOf(url) : undefined;
}
