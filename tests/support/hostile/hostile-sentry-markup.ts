/** Sentry's formats with the same text in every field. */
import { createEnvelope, createEventEnvelope, type Hostile, KEY } from "./hostile-row.ts";

const frame = (text: string) => ({
  ...{ filename: text, abs_path: text, function: text, module: text, context_line: text },
  ...{ pre_context: [text], post_context: [text], vars: { [text]: text }, lineno: 1, colno: 1 },
  in_app: true,
});

function event(text: string) {
  return {
    ...{
      platform: "node",
      level: text,
      logger: text,
      server_name: text,
      release: text,
      dist: text,
    },
    ...{ environment: text, transaction: text, message: text, logentry: { formatted: text } },
    exception: {
      values: [cause(`cause ${text}`, text), cause(text, text)],
    },
    threads: [{ name: text, crashed: true, stacktrace: { frames: [frame(text)] } }],
    breadcrumbs: ["message", "category", "level", "type"].map((name) => ({
      [name]: text,
      data: { url: text, [text]: text },
    })),
    request: {
      url: text,
      method: text,
      query_string: text,
      headers: { "user-agent": text, referer: text, [text]: text },
      cookies: text,
      data: text,
    },
    user: { id: text, email: text, username: text },
    tags: { [text]: text, digest: text, a: text },
    extra: { [text]: { [text]: [text] } },
    contexts: {
      react: { componentStack: `\n    at ${text} (${text})` },
      [text]: { [text]: text, digest: text },
      nextjs: { router_path: text },
    },
    fingerprint: [text],
    ...{
      sdk: { name: text, version: text },
      debug_meta: { images: [{ code_file: text, debug_id: text }] },
    },
  };
}

function cause(type: string, text: string) {
  return {
    type,
    value: text,
    module: text,
    mechanism: { type: text, handled: false },
    stacktrace: { frames: [frame(text)] },
  };
}

/** A request of each kind that an SDK sends, with the text in every field. */
export const SENTRY_MARKUP: Readonly<Record<string, (text: string) => Omit<Hostile, "name">>> = {
  "a Sentry event": (text) => ({ body: createEventEnvelope([event(text)]), status: 200 }),
  "a bare store body": (text) => ({
    path: `/api/1/store/?sentry_key=${KEY}`,
    body: JSON.stringify(event(`store ${text}`)),
    status: 200,
  }),
  feedback: (text) => ({
    body: createEnvelope(
      { type: "feedback" },
      { contexts: { feedback: { message: text, name: text, contact_email: text, url: text } } },
    ),
    status: [200, 400],
  }),
  "a user report": (text) => ({
    body: createEnvelope(
      { type: "user_report" },
      { event_id: "b".repeat(32), name: text, email: text, comments: text },
    ),
    status: [200, 400],
  }),
  "an attachment": (text) => ({
    body: createEnvelope(
      { type: "event" },
      { ...event(`attached ${text}`) },
      {
        type: "attachment",
        filename: text,
        content_type: "text/html",
        length: new TextEncoder().encode(text).length,
      },
      text,
    ),
    status: 200,
  }),
  "a session": (text) => ({
    body: createEnvelope(
      { type: "session" },
      {
        sid: text,
        did: text,
        status: text,
        started: text,
        attrs: { release: text, environment: text, user_agent: text },
      },
    ),
    status: [200, 400],
  }),
};
