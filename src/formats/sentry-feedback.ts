/**
 * What a person wrote about a failure: as a `feedback` item (an event whose context says it) and in the older form, a
 * `user_report` item. Where it names an event it belongs to that event's issue.
 *
 *     feedback     {"contexts":{"feedback":{"message":"…","contact_email":"…","name":"…","associated_event_id":"…"}}, …}
 *     user_report  {"event_id":"…","name":"…","email":"…","comments":"…"}
 *
 * Source: Sentry develop docs › SDK › Telemetry › User Feedback; Envelopes › Envelope Items › User Report.
 */
import { limits } from "../core/limits.ts";
import type { Parsed } from "../core/outcome.ts";
import { present } from "../core/present.ts";
import type { Draft, Side } from "../core/report.ts";
import { type Cuts, createCuts } from "./cuts.ts";
import { idOf, recordOf, textOf, timeMsOf } from "./decode.ts";
import { drafted, invalid } from "./parsed.ts";
import { requestOf } from "./request.ts";
import { breadcrumbsOf } from "./sentry-breadcrumbs.ts";
import { sideOf } from "./sentry-side.ts";
import { pathOf } from "./urls.ts";

/** One `feedback` item, `eventId` from the envelope's header. Invalid without a message. */
export function parseFeedback(payload: unknown, eventId: string | undefined): Parsed {
  const fields = recordOf(payload);
  if (fields === undefined) return invalid("feedback", "not-an-object", "feedback: a JSON object");
  const { url: requestUrl, headers } = recordOf(fields.request) ?? {};
  const said = recordOf(recordOf(fields.contexts)?.feedback) ?? {};
  const { name, contact_email: email, url, associated_event_id: about } = said;
  const message = said.message ?? fields.message;
  const page = textOf(url) ?? textOf(requestUrl);
  return feedback("feedback", { message, name, email, about, page }, sideOf(fields), (cuts) => ({
    id: idOf(eventId) ?? idOf(fields.event_id),
    occurredAtMs: timeMsOf(fields.timestamp),
    release: cuts.text("release", fields.release, limits.maxStringChars),
    environment: cuts.text("environment", fields.environment, limits.maxStringChars),
    traceId: idOf(recordOf(recordOf(fields.contexts)?.trace)?.trace_id),
    breadcrumbs: breadcrumbsOf(fields.breadcrumbs, cuts),
    request: requestOf({ url: page, route: routeOf(page), headers }, cuts),
  }));
}

/** One `user_report` item. Invalid without comments. */
export function parseUserReport(payload: unknown): Parsed {
  const { event_id: about, name, email, comments: message } = recordOf(payload) ?? {};
  return feedback("user_report", { message, name, email, about }, "browser", () => ({
    sameAs: JSON.stringify(["user_report", about, name, email, message]),
  }));
}

interface Said {
  readonly message: unknown;
  readonly name: unknown;
  readonly email: unknown;
  readonly about: unknown;
  readonly page?: string | undefined;
}

function feedback(
  item: string,
  { message, name, email, about, page }: Said,
  side: Side,
  rest: (cuts: Cuts) => { [K in keyof Draft]?: Draft[K] | undefined },
): Parsed {
  const cuts = createCuts();
  const written = cuts.text("message", message, limits.maxMessageChars);
  if (written === undefined)
    return invalid(item, "missing-field", `${item}: what the person wrote`);
  return drafted(item, {
    kind: "feedback",
    side,
    format: "sentry",
    type: "Feedback",
    message: written,
    level: "info",
    frames: [],
    // Without an event it is told apart by its page: people say one thing in many words.
    fingerprint: ["feedback", routeOf(page) ?? ""],
    ...present({
      ...rest(cuts),
      about: idOf(about),
      detail: cuts.json("detail", { name: textOf(name), contact_email: textOf(email) }),
      cut: cuts.names(),
    }),
  });
}

function routeOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : pathOf(url);
}
