import { describe, expect, it, test } from "vitest";
import { isControlFlowReport } from "#src/core/control-flow/control-flow-report.ts";
import type { ParsedReport } from "#src/core/report.ts";

function thrown(message: string, more: Partial<ParsedReport> = {}): ParsedReport {
  return {
    kind: "error",
    side: "server",
    format: "sentry",
    type: "Error",
    message,
    frames: [],
    ...more,
  };
}

const captured = (message: string, members?: object) =>
  thrown(
    message,
    members && { detail: JSON.parse(JSON.stringify({ extra: { __serialized__: members } })) },
  );

const HANGING =
  'During prerendering, `cookies()` rejects when the prerender is complete. Typically these errors are handled by React but if you move `cookies()` to a different context by using `setTimeout`, `after`, or similar functions you may observe this error and you should handle it in that context. This occurred at route "/".';
const DYNAMIC =
  "Dynamic server usage: Route /cart couldn't be rendered statically because it used `cookies`. See more info here: https://nextjs.org/docs/messages/dynamic-server-error";

describe("control flow", () => {
  test.each([
    "NEXT_REDIRECT",
    "NEXT_REDIRECT;replace;/login;307;",
    "NEXT_NOT_FOUND",
    "NEXT_HTTP_ERROR_FALLBACK;404",
    "NEXT_HTTP_ERROR_FALLBACK;401",
    "DYNAMIC_SERVER_USAGE",
    "DYNAMIC_SERVER_USAGE@E394",
    "BAILOUT_TO_CLIENT_SIDE_RENDERING",
    "HANGING_PROMISE_REJECTION",
    "NEXT_PRERENDER_INTERRUPTED",
    'REACT_ROUTER_ERROR:REDIRECT:{"status":302,"statusText":"","location":"/login"}',
    'REACT_ROUTER_ERROR:ROUTE_ERROR_RESPONSE:{"status":404,"statusText":"Not Found"}',
    '__WAKU_CUSTOM_ERROR__;{"status":307,"location":"/a b"}',
    "Error: NEXT_REDIRECT",
    "Uncaught (in promise) Error: NEXT_REDIRECT",
    "Unhandled Promise Rejection: Error: NEXT_NOT_FOUND",
    "⨯ Error: NEXT_REDIRECT\n    at getRedirectError (/srv/.next/server/chunks/1.js:1:2)\n    at a",
    " ⨯ unhandledRejection:  Error: NEXT_REDIRECT\n    at a (b.js:1:2) {\n  digest: 'NEXT_REDIRECT;push;/;307;'\n}",
    "[Error: NEXT_REDIRECT] {\n  digest: 'NEXT_REDIRECT;replace;/login;307;'\n}",
    "[Error: NEXT_NOT_FOUND] { digest: 'NEXT_NOT_FOUND' }",
    "[Error: NEXT_REDIRECT]",
    "Bail out to client-side rendering: useSearchParams()",
    "Error: Bail out to client-side rendering: next/dynamic\n    at a (b.js:1:2)",
    DYNAMIC,
    "Dynamic server usage: Page couldn't be rendered statically because it used `headers`.",
    "Dynamic server usage: headers",
    "Dynamic server usage: no-store fetch https://api.example/a /cart",
    HANGING,
    'Route "/cart" needs to bail out of prerendering at this point because it used `Math.random()`.',
    "This page needs to bail out of prerendering at this point because it used cookies. React throws this special object to indicate where.",
    'Abort fetching component for route: "/cart"',
    "Loading initial props cancelled",
    "Cancel rendering route",
    "Suspense Exception: This is not a real error! It's an implementation detail of `use` to interrupt the current render.",
    "Minified React error #460; visit https://react.dev/errors/460 for the full message",
    'Redirected when going from "/cart" to "/login" via a navigation guard.',
    'Redirected when going from "/" to "{\n  "query": {}\n}" via a navigation guard.',
    'Navigation aborted from "/a" to "/b" via a navigation guard.',
    'Navigation cancelled from "/a" to "/b" with a new navigation.',
    'Avoided redundant navigation to current location: "/a".',
    "TransitionAborted",
  ])("is a report whose whole message is the signal: %s", (message) => {
    expect(isControlFlowReport(thrown(message))).toBe(true);
    expect(isControlFlowReport(thrown(message, { kind: "message", type: "Message" }))).toBe(true);
  });

  test("is a report whose digest is the signal, whatever its message", () => {
    expect(isControlFlowReport(thrown("x", { hasControlFlowDigest: true }))).toBe(true);
  });

  test("is a log whose text is only the signal", () => {
    const logged = (text: string) => thrown("NEXT_REDIRECT", { detail: { logged: text } });
    expect(isControlFlowReport(logged("⨯ Error: NEXT_REDIRECT"))).toBe(true);
    expect(isControlFlowReport(logged("Checkout failed: Error: NEXT_REDIRECT"))).toBe(false);
  });

  test.each([
    [
      "SvelteKit's redirect",
      captured("'Redirect' captured as exception with keys: location, status"),
    ],
    [
      "SvelteKit's redirect, minified",
      captured("'t' captured as exception with keys: location, status", {
        status: 303,
        location: "/login",
      }),
    ],
    [
      "SvelteKit's redirect in an older SDK",
      captured("Non-Error exception captured with keys: location, status", {
        status: 302,
        location: "/login",
      }),
    ],
    [
      "SvelteKit's error 404",
      captured("'HttpError' captured as exception with keys: body, status", {
        status: 404,
        body: { message: "Not found" },
      }),
    ],
    [
      "TanStack Router's not found",
      captured("Object captured as promise rejection with keys: isNotFound, routeId", {
        isNotFound: true,
        routeId: "/a",
      }),
    ],
    [
      "TanStack Router's redirect",
      captured("Object captured as exception with keys: code, isRedirect, to", {
        isRedirect: true,
        to: "/login",
        code: 307,
      }),
    ],
    [
      "Qwik's redirect",
      captured("'RedirectMessage' captured as exception with keys: [object has no keys]"),
    ],
    [
      "an object that Errata's reporter describes",
      thrown('{"isNotFound":true}', { type: "Object" }),
    ],
  ])("is an object that a framework throws: %s", (_name, report) => {
    expect(isControlFlowReport(report)).toBe(true);
  });
});

describe("an error of the application", () => {
  test.each([
    "failed to handle NEXT_REDIRECT",
    "Checkout failed: NEXT_REDIRECT",
    "NEXT_REDIRECT is not defined",
    "NEXT_REDIRECT: no target",
    "NEXT_REDIRECT failed",
    "NEXT_REDIRECT\nwas caught in pay()",
    "NEXT_NOT_FOUNDATION",
    "next_redirect",
    "Error: failed: NEXT_REDIRECT\n    at a (b.js:1:2)",
    "Not found",
    "404",
    "redirect",
    "Bail out to client-side rendering",
    "Could not bail out to client-side rendering: no client",
    "Dynamic server usage: the bill of this month is too high",
    `Failed to load: ${DYNAMIC}`,
    'Route /cart with `dynamic = "error"` couldn\'t be rendered statically because it used `cookies`.',
    "Page changed from static to dynamic at runtime /cart, reason: cookies",
    "During prerendering, `cookies()` failed",
    "Suspense Exception: This is not a real error, and should not leak into userspace.",
    "Minified React error #474; visit https://react.dev/errors/474",
    "Minified React error #4600; visit https://react.dev/errors/4600",
    "Redirected when going from A to B",
    "Navigation cancelled",
    "Route cancelled",
    "The state is TransitionAborted",
    'REACT_ROUTER_ERROR:ROUTE_ERROR_RESPONSE:{"status":503,"statusText":""}',
    '__WAKU_CUSTOM_ERROR__;{"status":500}',
    "An error occurred in the Server Components render.",
    "",
  ])("is not control flow: %s", (message) => {
    expect(isControlFlowReport(thrown(message))).toBe(false);
    expect(isControlFlowReport(thrown(message, { kind: "message" }))).toBe(false);
  });

  test.each([
    [
      "an object of an HTTP client",
      captured("Object captured as exception with keys: body, status", { status: 404, body: "x" }),
    ],
    [
      "SvelteKit's error 500",
      captured("'HttpError' captured as exception with keys: body, status", {
        status: 500,
        body: {},
      }),
    ],
    [
      "SvelteKit's error of an unknown status",
      captured("'HttpError' captured as exception with keys: body, status"),
    ],
    [
      "a place and a state",
      captured("Object captured as exception with keys: location, status", {
        location: { lat: 1 },
        status: "lost",
      }),
    ],
    [
      "an object with more members",
      captured("Object captured as exception with keys: code, location, status", {
        code: 1,
        location: "/",
        status: 302,
      }),
    ],
    ["an unknown object", captured("Object captured as exception with keys: isNotFound")],
    [
      "an application's not found",
      captured("Object captured as exception with keys: isNotFound", { isNotFound: false }),
    ],
    ["a response", captured("'Response' captured as exception with keys: [object has no keys]")],
    ["a sentence with the same object", thrown("user captured with keys: location, status")],
    ["text that looks like an object", thrown("{isNotFound:true}", { type: "Object" })],
  ])("is not control flow: %s", (_name, report) => {
    expect(isControlFlowReport(report)).toBe(false);
  });

  test.each(["feedback", "notice", "csp", "browser", "network"] as const)(
    "a report of kind %s never is control flow",
    (kind) => {
      const report = thrown("NEXT_REDIRECT", { kind, hasControlFlowDigest: true });
      expect(isControlFlowReport(report)).toBe(false);
    },
  );
});

// A backtracking pattern would take minutes here and time out.
it.each(["Error: ", "⨯ ", "[", "] {", "NEXT_REDIRECT;", "[Error: ", '"', "\n at ", "' captured "])(
  "repeated %j is decided in linear time",
  (part) => {
    for (const chars of [3_900, 500_000]) {
      const long = part.repeat(Math.ceil(chars / part.length)).slice(0, chars);
      for (let time = 0; time < 20; time++)
        expect(isControlFlowReport(thrown(`Redirected when going from "${long}`))).toBe(false);
      expect(isControlFlowReport(thrown(`x${long}`, { detail: { logged: long } }))).toBe(false);
    }
  },
);
