import { describe, expect, it } from "vitest";
import type { ScrubSettings } from "#src/core/scrubbing/scrub.ts";
import { type Capture, listCaptures, readCapture } from "#support/reports/captures.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

/** A preflight has no body: http/ answers it. */
const WITHOUT_BODY = "reports.preflight.options";

/**
 * The format and outcomes of every capture; reports as `kind side type: message`, 30 characters.
 */
const expected: Readonly<Record<string, readonly string[]>> = {
  "csp-report-uri.img": ["csp-report", "csp browser img-src: blocked https://blocked.exampl"],
  "csp-report-uri.inline-script": [
    "csp-report",
    "csp browser script-src-elem: blocked inline script",
  ],
  "csp-report-uri.report-only.inline-script": [
    "csp-report",
    "csp browser script-src-elem: would block inline script",
  ],
  "nel.dns-address-changed": [
    "reporting-api",
    "network browser dns.address_changed: GET to https://localhost:9643,",
  ],
  "nel.http-error-500": [
    "reporting-api",
    "network browser http.error: 5xx for GET to https://localho",
  ],
  "nel.http-response-invalid-empty": [
    "reporting-api",
    "network browser http.response.invalid.empty: GET to https://localhost:9643,",
  ],
  "nel.ok": ["reporting-api", "counted network-error"],
  "next.no-boundary-global-error": ["next", "error server TypeError: no error boundary here"],
  "next.route-handler.onRequestError": ["next", "error server Error: route handler failed"],
  "next.server-component-with-error-boundary": [
    "next",
    "error server Error: secret database password leake",
  ],
  "reports.coep": ["reporting-api", "browser browser coep: corp blocked image of https://"],
  "reports.crash": ["reporting-api", "browser browser crash: the page's process ended witho"],
  "reports.csp-violation": ["reporting-api", "csp browser script-src-elem: blocked inline script"],
  "reports.csp-violation.img": [
    "reporting-api",
    "csp browser img-src: blocked https://blocked.exampl",
  ],
  "reports.deprecation": [
    "reporting-api",
    "browser browser deprecation: NoSysexWebMIDIWithoutPermissio",
  ],
  "reports.integrity-violation": [
    "reporting-api",
    "browser browser integrity-violation: blocked script https://localho",
  ],
  "reports.mixed-batch.default-endpoint": [
    "reporting-api",
    "browser browser deprecation: XMLHttpRequestSynchronousInNon",
    "browser browser deprecation: UnloadHandler: Unload event li",
    "browser browser intervention: NavigatorVibrate: Blocked call",
    "browser browser permissions-policy-violation: geolocation: Permissions polic",
    "browser browser deprecation: PersistentQuotaType: `StorageT",
    "browser browser deprecation: NoSysexWebMIDIWithoutPermissio",
    "browser browser deprecation: XSLT: XSLTProcessor and XSLT P",
    "browser browser permissions-policy-violation: camera: Permissions policy vio",
  ],
  "sentry-browser.client-report": ["sentry-envelope", "counted client_report"],
  "sentry-browser.fatal-caught": [
    "sentry-envelope",
    "error browser TypeError: Cannot read properties of null",
  ],
  "sentry-browser.feedback-with-attachment": [
    "sentry-envelope",
    "feedback browser Feedback: Page is blank after paying",
    "feedback browser Feedback: Page is blank after paying",
  ],
  "sentry-browser.log": ["sentry-envelope", "counted log"],
  "sentry-browser.message": ["sentry-envelope", "message browser Message: hello from the browser"],
  "sentry-browser.session": ["sentry-envelope", "counted session"],
  "sentry-browser.span-stream-pageload": ["sentry-envelope", "counted span"],
  "sentry-browser.string-exception": ["sentry-envelope", "error browser Error: a plain string"],
  "sentry-browser.transaction-static": ["sentry-envelope", "counted transaction"],
  "sentry-browser.uncaught-error": [
    "sentry-envelope",
    "error browser TypeError: click handler exploded",
  ],
  "sentry-cloudflare.feedback": ["sentry-envelope", "feedback server Feedback: worker feedback"],
  "sentry-cloudflare.log": ["sentry-envelope", "counted log"],
  "sentry-cloudflare.message": ["sentry-envelope", "message server Message: hello from workerd"],
  "sentry-node.exception-with-breadcrumbs-and-cause": [
    "sentry-envelope",
    "error server TypeError: Cannot read properties of unde",
  ],
  "sentry-node.feedback": [
    "sentry-envelope",
    "feedback server Feedback: The checkout button does nothi",
  ],
  "sentry-node.log": ["sentry-envelope", "counted log"],
  "sentry-node.message": ["sentry-envelope", "message server Message: Payment provider slow"],
  "sentry-node.metric": ["sentry-envelope", "counted trace_metric"],
  "sentry-node.session-exited": ["sentry-envelope", "counted session"],
  "sentry-node.session-init": ["sentry-envelope", "counted session"],
  "sentry-node.span-stream": ["sentry-envelope", "counted span"],
  "sentry-node.uncaught": ["sentry-envelope", "error server Error: uncaught in timer"],
  "sentry-go.bill": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-go.bill-in-helper": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-go.cause": [
    "sentry-envelope",
    "error server *fmt.wrapError: order 1017 cannot be sent: no ",
  ],
  "sentry-go.label": [
    "sentry-envelope",
    "error server *fmt.wrapError: label 1017 was not printed: no",
  ],
  "sentry-go.label-method": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-go.message": [
    "sentry-envelope",
    "message server Message: order 1017 waits for an addres",
  ],
  "sentry-go.message-other-values": [
    "sentry-envelope",
    "message server Message: order 20448 waits for an addre",
  ],
  "sentry-go.request": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-go.ship": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-go.ship-edited": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-go.ship-in-helper": [
    "sentry-envelope",
    "error server runtime.errorString: runtime error: invalid memory ",
  ],
  "sentry-java.async": [
    "sentry-envelope",
    "error server CompletionException: java.lang.NullPointerException",
  ],
  "sentry-java.bill": [
    "sentry-envelope",
    'error server NullPointerException: Cannot invoke "com.acme.shop.O',
  ],
  "sentry-java.cause": [
    "sentry-envelope",
    "error server Orders$ShippingException: order 1017 cannot be sent",
  ],
  "sentry-java.check": [
    "sentry-envelope",
    "error server IllegalStateException: order 1017 has no address",
  ],
  "sentry-java.lambda": [
    "sentry-envelope",
    'error server NullPointerException: Cannot invoke "com.acme.shop.O',
  ],
  "sentry-java.message": [
    "sentry-envelope",
    "message server Message: order 1,017 waits for an addre",
  ],
  "sentry-java.message-other-values": [
    "sentry-envelope",
    "message server Message: order 20,448 waits for an addr",
  ],
  "sentry-java.ship": [
    "sentry-envelope",
    'error server NullPointerException: Cannot invoke "com.acme.shop.O',
  ],
  "sentry-java.ship-edited": [
    "sentry-envelope",
    'error server NullPointerException: Cannot invoke "com.acme.shop.O',
  ],
  "sentry-java.suppressed": [
    "sentry-envelope",
    "error server IllegalStateException: order 1017 has no address",
  ],
  "sentry-php.bill": ["sentry-envelope", "error server Error: Call to a member function name"],
  "sentry-php.cause": [
    "sentry-envelope",
    "error server Shop\\ShippingError: order 1017 cannot be sent",
  ],
  "sentry-php.closure": ["sentry-envelope", "error server Error: Call to a member function name"],
  "sentry-php.count": ["sentry-envelope", "error server TypeError: intdiv(): Argument #1 ($num1) "],
  "sentry-php.message": [
    "sentry-envelope",
    "message server Message: order 1017 waits for an addres",
  ],
  "sentry-php.message-other-values": [
    "sentry-envelope",
    "message server Message: order 20448 waits for an addre",
  ],
  "sentry-php.request": ["sentry-envelope", "error server Error: Call to a member function name"],
  "sentry-php.ship": ["sentry-envelope", "error server Error: Call to a member function name"],
  "sentry-php.ship-edited": [
    "sentry-envelope",
    "error server Error: Call to a member function name",
  ],
  "sentry-php.warning": [
    "sentry-envelope",
    'error server ErrorException: Warning: Undefined array key "',
  ],
  "sentry-php.warning-2": [
    "sentry-envelope",
    "error server TypeError: Shop\\Orders::label(): Return v",
  ],
  "sentry-php.weigh": ["sentry-envelope", "error server TypeError: intdiv(): Argument #1 ($num1) "],
  "sentry-python-1.message": [
    "sentry-event",
    "message server Message: order 1017 waits for an addres",
  ],
  "sentry-python-1.pack-group": [
    "sentry-event",
    "error server ExceptionGroup: unhandled errors in a TaskGrou",
  ],
  "sentry-python-1.print-group": [
    "sentry-event",
    "error server ExceptionGroup: unhandled errors in a TaskGrou",
  ],
  "sentry-python-1.ship": [
    "sentry-event",
    "error server AttributeError: 'NoneType' object has no attri",
  ],
  "sentry-python.bill": [
    "sentry-envelope",
    "error server AttributeError: 'NoneType' object has no attri",
  ],
  "sentry-python.cause": [
    "sentry-envelope",
    "error server ShippingError: order 1017 cannot be sent",
  ],
  "sentry-python.message": [
    "sentry-envelope",
    "message server Message: order 1017 waits for an addres",
  ],
  "sentry-python.message-other-values": [
    "sentry-envelope",
    "message server Message: order 20448 waits for an addre",
  ],
  "sentry-python.pack-group": [
    "sentry-envelope",
    "error server ExceptionGroup: unhandled errors in a TaskGrou",
  ],
  "sentry-python.print-group": [
    "sentry-envelope",
    "error server ExceptionGroup: unhandled errors in a TaskGrou",
  ],
  "sentry-python.request": [
    "sentry-envelope",
    "error server AttributeError: 'NoneType' object has no attri",
  ],
  "sentry-python.ship": [
    "sentry-envelope",
    "error server AttributeError: 'NoneType' object has no attri",
  ],
  "sentry-python.ship-edited": [
    "sentry-envelope",
    "error server AttributeError: 'NoneType' object has no attri",
  ],
  "sentry-ruby.bill": [
    "sentry-envelope",
    "error server NoMethodError: undefined method `name' for ni",
  ],
  "sentry-ruby.cause": ["sentry-envelope", "error server ShippingError: order 1017 cannot be sent"],
  "sentry-ruby.count": [
    "sentry-envelope",
    'error server ArgumentError: invalid value for Integer(): "',
  ],
  "sentry-ruby.label": [
    "sentry-envelope",
    "error server NoMethodError: undefined method `label' for #",
  ],
  "sentry-ruby.message": [
    "sentry-envelope",
    "message server Message: order 1017 waits for an addres",
  ],
  "sentry-ruby.message-other-values": [
    "sentry-envelope",
    "message server Message: order 20448 waits for an addre",
  ],
  "sentry-ruby.request": [
    "sentry-envelope",
    "error server NoMethodError: undefined method `name' for ni",
  ],
  "sentry-ruby.ship": [
    "sentry-envelope",
    "error server NoMethodError: undefined method `name' for ni",
  ],
  "sentry-ruby.ship-edited": [
    "sentry-envelope",
    "error server NoMethodError: undefined method `name' for ni",
  ],
  "sentry-ruby.weigh": [
    "sentry-envelope",
    'error server ArgumentError: invalid value for Integer(): "',
  ],
  "sentry-tunnel.span-stream-pageload": ["sentry-envelope", "counted span"],
  "sentry-tunnel.uncaught-error": [
    "sentry-envelope",
    "error browser TypeError: click handler exploded",
  ],
};

async function ingestCapture(
  { body, headers }: Capture,
  scrub: ScrubSettings = { email: false, ip: false },
) {
  const log = createMemoryLog();
  const userAgent = headers.get("user-agent");
  const context = {
    ...createProcessingOptions(),
    scrub,
    writer: log,
    ...(userAgent !== undefined && { userAgent }),
  };
  const ingested = await ingestBytes(body, context);
  if (!ingested.ok) throw new Error(JSON.stringify(ingested));
  return { ...ingested.value, reports: [...log.reports.values()] };
}

const captures = listCaptures().filter(({ name }) => name !== WITHOUT_BODY);

describe("captures of real clients", () => {
  it("the table names every capture", () => {
    expect(captures.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(expected)));
    expect(captures).toHaveLength(Object.keys(expected).length);
  });

  it.each(captures)("$name", async (capture) => {
    const { format, outcomes, reports } = await ingestCapture(capture);
    const summaries = outcomes.map((outcome) => {
      if (outcome.outcome !== "accepted") return `${outcome.outcome} ${outcome.item}`;
      const report = reports.find(({ id }) => id === outcome.id);
      return `${report?.kind} ${report?.side} ${report?.type}: ${report?.message.slice(0, 30)}`;
    });
    expect([format, ...summaries]).toEqual(expected[capture.name]);
    expect(reports.map(({ truncated }) => truncated)).toEqual(reports.map(() => undefined));
  });
});

describe("memory between reports", () => {
  const serializeLines = async (some: readonly Capture[], scrub?: ScrubSettings) => {
    const reports = [];
    for (const capture of some) reports.push(...(await ingestCapture(capture, scrub)).reports);
    return reports.map((report) => JSON.stringify(report)).sort();
  };

  it("results do not depend on the order of reports or on other scrub settings", async () => {
    const first = await serializeLines(captures);
    const without = await serializeLines(captures, { email: true, ip: true });
    expect(without).not.toEqual(first);
    expect(await serializeLines(captures.toReversed())).toEqual(first);
    expect(await serializeLines(captures, { email: true, ip: true })).toEqual(without);
  });
});

describe("identification of captured reports", () => {
  const only = async (name: string) => (await ingestCapture(readCapture(name))).reports[0];

  it.each([
    { name: "next.no-boundary-global-error", digest: "1740730974" },
    { name: "next.server-component-with-error-boundary", digest: "1260811685" },
  ])("the digest that $name showed leads to its server error", async ({ name, digest }) => {
    const report = await only(name);
    expect(report?.aliases).toEqual([digest]);
    expect(report?.frames[0]).toMatchObject({ inApp: true, line: 1 });
    expect(report?.isLinked).toBe(false);
  });

  it.each([
    { name: "sentry-browser.uncaught-error", id: "5aaeee40d56b46ecbfb342d868e140ef" },
    { name: "sentry-node.uncaught", id: "e9fb6645b40d4897834969baf6d8de6b" },
    { name: "sentry-tunnel.uncaught-error", id: "d6abd05a08ea499d9f0607271e1e201c" },
  ])(
    "the event id of $name is its report id, and the response repeats it",
    async ({ name, id }) => {
      const { id: responseId, reports } = await ingestCapture(readCapture(name));
      expect([responseId, reports[0]?.id]).toEqual([id, id]);
    },
  );

  it("one error sent by DSN and by tunnel is one issue", async () => {
    const direct = await only("sentry-browser.uncaught-error");
    const tunnelled = await only("sentry-tunnel.uncaught-error");
    expect(tunnelled?.digest).toBe(direct?.digest);
    expect(tunnelled?.id).not.toBe(direct?.id);
  });

  it("both forms of a CSP report are one issue", async () => {
    const [legacy, modern] = [
      await only("csp-report-uri.img"),
      await only("reports.csp-violation.img"),
    ];
    expect(modern?.digest).toBe(legacy?.digest);
  });

  it("the frames of a stack are newest first, followed by the cause", async () => {
    const report = await only("sentry-node.exception-with-breadcrumbs-and-cause");
    expect(report?.frames[0]).toMatchObject({ function: "chargeCard", line: 5, inApp: true });
    expect(report?.frames[0]?.source).toContain("throw new TypeError");
    expect(report?.causes?.[0]).toMatchObject({ type: "Error", message: "upstream 500" });
    expect(report?.breadcrumbs?.[1]?.message).toBe("GET https://api.example.com/cart 500");
    expect(report?.tags).toContainEqual(["tenant", "acme"]);
  });

  it("feedback includes its attachments", async () => {
    expect((await only("sentry-browser.feedback-with-attachment"))?.attachments).toEqual([
      { name: "note.txt", bytes: 1, text: "x" },
    ]);
  });

  it("feedback about an event belongs to that event's issue", async () => {
    const capture = readCapture("sentry-node.feedback");
    const lookedUpIds: string[] = [];
    const findDigest = async (id: string) => {
      lookedUpIds.push(id);
      return "7F3K-Q2M9";
    };
    const log = createMemoryLog();
    await ingestBytes(capture.body, { ...createProcessingOptions(), writer: log, findDigest });
    expect(lookedUpIds).toEqual(["7b6bc7b7faaa4df390dca5100ac788ab"]);
    expect([...log.reports.values()]).toMatchObject([{ digest: "7F3K-Q2M9", isLinked: true }]);
  });

  it("a report without a user agent gets that of the request that brought it", async () => {
    expect((await only("csp-report-uri.img"))?.request?.userAgent).toContain("HeadlessChrome/156");
  });
});
