// Frames, threads and templates of the SDKs of other languages than JavaScript.

import { describe, expect, it } from "vitest";
import { parseSentryEvent } from "#src/ingest/sentry/sentry-event.ts";
import { getReport } from "#support/reports/parsed-items.ts";

function parse(event: object) {
  return getReport(parseSentryEvent(event));
}

/** The newest frame of an event with one exception and one frame. */
function parseFrame(platform: string, frame: object, more: object = {}) {
  const exception = { values: [{ type: "E", stacktrace: { frames: [frame] } }] };
  return parse({ platform, exception, ...more }).frames[0];
}

describe("a frame", () => {
  it("keeps its module, path, package, address and raw function", () => {
    const frame = {
      function: "total",
      raw_function: "total(int)",
      symbol: "_Z5totali",
      module: "shop.bill",
      filename: "bill.c",
      abs_path: "/src/bill.c",
      package: "/usr/lib/libbill.so",
      instruction_addr: "0x7fff2041e9c2",
    };
    expect(parseFrame("native", frame)).toEqual({
      function: "total",
      rawFunction: "total(int)",
      module: "shop.bill",
      file: "bill.c",
      absPath: "/src/bill.c",
      package: "/usr/lib/libbill.so",
      address: "0x7fff2041e9c2",
      inApp: true,
    });
  });

  it.each([
    ["0x1900", "0x1000", "0x900"],
    ["0xFFFFFFFFFFFFFFFF", "0xfffffffffffff000", "0xfff"],
    ["0x1000", "0x1000", "0x0"],
    ["0x1000", "0x1900", undefined],
    ["0x1000", undefined, undefined],
    [4096, 16, undefined],
    [`0x${"1".repeat(40)}`, "0x1000", undefined],
    ["0x", "image", undefined],
  ])("with the address %s counts it from the image at %s", (address, image, offset) => {
    const frame = { package: "shop", instruction_addr: address, image_addr: image };
    expect(parseFrame("native", frame)?.imageOffset).toBe(offset);
  });

  const places = [
    { name: "a path", frame: { abs_path: "/a.py" }, expected: { file: "/a.py", inApp: true } },
    {
      name: "equal paths once",
      frame: { filename: "/a.py", abs_path: "/a.py" },
      expected: { file: "/a.py", inApp: true },
    },
    { name: "a module", frame: { module: "shop" }, expected: { module: "shop", inApp: true } },
    {
      name: "a symbol as the function",
      frame: { symbol: "_main", package: "shop" },
      expected: { function: "_main", package: "shop", inApp: true },
    },
    {
      name: "an address",
      frame: { function: "?", instruction_addr: "0x1" },
      expected: { address: "0x1", inApp: false },
    },
  ];
  it.each(places)("with $name", ({ frame, expected }) => {
    expect(parseFrame("python", frame)).toEqual(expected);
  });

  const owners = [
    { platform: "java", frame: { module: "java.util.List" }, inApp: false },
    { platform: "java", frame: { module: "java.util.List", in_app: true }, inApp: true },
    { platform: "java", frame: { module: "com.acme.Bill", in_app: null }, inApp: true },
    { platform: "java", frame: { module: "com.acme.Bill", in_app: false }, inApp: false },
    { platform: "native", frame: { package: "/usr/lib/libc.so.6" }, inApp: false },
    { platform: "python", frame: { filename: "/x/site-packages/a.py" }, inApp: false },
    { platform: "node", frame: { filename: "/srv/node_modules/a.js" }, inApp: false },
    { platform: "node", frame: { filename: "/srv/a.js" }, inApp: true },
  ];
  it.each(owners)("of $platform, $frame: the application's is $inApp", (row) => {
    expect(parseFrame(row.platform, row.frame)?.inApp).toBe(row.inApp);
  });

  it("of another runtime follows the rules of that runtime", () => {
    const more = { sdk: { name: "sentry.javascript.react-native" } };
    const parseInApp = (frame: object) => parseFrame("javascript", frame, more)?.inApp;
    expect(parseInApp({ platform: "java", module: "java.util.List" })).toBe(false);
    expect(parseInApp({ platform: "java", module: "com.acme.Bill" })).toBe(true);
    expect(parseInApp({ platform: "cocoa", package: "UIKitCore", in_app: true })).toBe(true);
    expect(parseInApp({ filename: "app:///main.jsbundle", in_app: true })).toBe(true);
  });

  it("that the SDK omitted is listed as truncated", () => {
    const stacktrace = { frames: [{ function: "f" }], frames_omitted: [10, 20] };
    expect(parse({ exception: [{ type: "E", stacktrace }] }).truncated).toEqual(["frames"]);
  });

  it("of a stack before symbolication counts if there is no other", () => {
    const exception = [{ type: "E", raw_stacktrace: { frames: [{ function: "f" }] } }];
    expect(parse({ exception }).frames[0]?.function).toBe("f");
  });
});

describe("the runtime", () => {
  it.each([
    { platform: "python", stored: "python" },
    { platform: "csharp", stored: "dotnet" },
    { platform: "node", stored: undefined },
    { platform: "javascript", stored: undefined },
  ])("of $platform is stored as $stored", ({ platform, stored }) => {
    expect(parse({ platform, message: "m" }).platform).toBe(stored);
  });
});

describe("the stack of an event", () => {
  const named = (name: string) => ({ frames: [{ function: name }] });
  const thread = (id: number, more: object = {}) => ({ id, stacktrace: named(`t${id}`), ...more });
  const error = (more: object = {}) => [{ type: "E", ...more }];

  const stacks = [
    {
      name: "the exception's own",
      event: { exception: error({ stacktrace: named("own") }), threads: [thread(1)] },
      newest: "own",
    },
    {
      name: "that of the exception's thread",
      event: {
        exception: error({ thread_id: "2" }),
        threads: [thread(1, { crashed: true }), thread(2)],
      },
      newest: "t2",
    },
    {
      name: "the crashed thread's",
      event: {
        exception: error(),
        threads: { values: [thread(1, { current: true }), thread(2, { crashed: true })] },
      },
      newest: "t2",
    },
    {
      name: "the current thread's",
      event: { message: "m", threads: [thread(1), thread(2, { current: true })] },
      newest: "t2",
    },
    {
      name: "the main thread's",
      event: { message: "m", threads: [thread(1), thread(2, { name: "main" })] },
      newest: "t2",
    },
    { name: "the only thread's", event: { message: "m", threads: [thread(7)] }, newest: "t7" },
    {
      name: "none of several equal threads",
      event: { message: "m", threads: [thread(1), thread(2)] },
      newest: undefined,
    },
    {
      name: "none if the exception's thread is missing",
      event: { exception: error({ thread_id: 9 }), threads: [thread(1, { current: true })] },
      newest: undefined,
    },
    {
      name: "the event's own",
      event: { message: "m", stacktrace: named("event"), threads: [thread(1)] },
      newest: "event",
    },
  ];
  it.each(stacks)("is $name", ({ event, newest }) => {
    expect(parse(event).frames[0]?.function).toBe(newest);
  });

  it("names its thread", () => {
    const threads = [thread(1), thread(2, { crashed: true, name: "worker-3", state: "RUNNABLE" })];
    expect(parse({ exception: error(), threads }).detail).toMatchObject({
      thread: { id: 2, name: "worker-3", state: "RUNNABLE" },
    });
  });
});

describe("the template of a message", () => {
  const text = "User %s was not found in %s";
  const params = ["ada", "eu"];
  const message = "User ada was not found in eu";
  const template = { text, params };
  const rows = [
    { name: "logentry", event: { logentry: { message: text, params } }, message, template },
    { name: "message", event: { message: { message: text, params } }, message, template },
    {
      name: "logentry with the formatted text",
      event: { logentry: { message: text, params, formatted: "as sent" } },
      message: "as sent",
      template,
    },
    {
      name: "the formatted text besides it",
      event: { message: "as sent", logentry: { message: text, params } },
      message: "as sent",
      template,
    },
    {
      name: "the template twice",
      event: { message: text, logentry: { message: text, params } },
      message,
      template,
    },
    {
      name: "no parameters",
      event: { logentry: { message: "{User} left", formatted: "ada left" } },
      message: "ada left",
      template: { text: "{User} left" },
    },
    { name: "no template", event: { message }, message, template: undefined },
    { name: "a plain logentry", event: { logentry: { message } }, message, template: undefined },
    {
      name: "a text under an unknown name",
      event: { message: { msg: "left", n: 7 } },
      message: '{"msg":"left","n":7}',
      template: undefined,
    },
    { name: "a list", event: { message: ["a", 1] }, message: '["a",1]', template: undefined },
  ];
  it.each(rows)("from $name", (row) => {
    const { message: text, template: stored } = parse(row.event);
    expect([text, stored]).toEqual([row.message, row.template]);
  });

  it("does not belong to an exception with a message of its own", () => {
    const exception = [{ type: "E", value: "own" }];
    const report = parse({ exception, logentry: { message: text, params } });
    expect([report.message, report.template]).toEqual(["own", undefined]);
  });
});

describe("an exception", () => {
  it("keeps the module of its type, and shows values that are not text as JSON", () => {
    const values = [
      { type: "B", value: { code: 7 }, module: "acme.cause" },
      { type: "A", value: ["x"], module: "acme" },
    ];
    expect(parse({ exception: { values } })).toMatchObject({
      type: "A",
      typeModule: "acme",
      message: '["x"]',
      causes: [{ type: "B", typeModule: "acme.cause", message: '{"code":7}' }],
    });
  });

  it("keeps what its mechanism says about a signal", () => {
    const meta = { signal: { number: 11, name: "SIGSEGV" } };
    const mechanism = { type: "signalhandler", handled: false, synthetic: true, meta };
    const { detail, tags } = parse({ exception: [{ type: "SIGSEGV", mechanism }] });
    expect(detail).toMatchObject({ mechanism: { meta } });
    expect(tags).toContainEqual(["mechanism", "signalhandler"]);
  });
});

describe("a message with a whole stack", () => {
  const text = `Checkout failed
Traceback (most recent call last):
  File "/srv/shop/cart.py", line 8, in load
    return total(cart)
  File "/srv/shop/bill.py", line 4, in total
    return cart["x"]
KeyError: 'x'`;
  const logentry = { message: "Checkout failed\n%s", formatted: text, params: ["…"] };

  it.each([
    ["python", { message: text }],
    ["python", { logentry }],
    ["other", { message: text }],
    ["node", { message: text }],
  ])("of the platform %s is an error, and keeps the text", (platform, event) => {
    const report = parse({ platform, ...event });
    expect(report).toMatchObject({
      kind: "error",
      platform: "python",
      type: "KeyError",
      message: "'x'",
      frames: [{ function: "total" }, { function: "load" }],
      stack: text,
      detail: { logged: text },
    });
    expect(report.template).toBeUndefined();
  });

  it("of JavaScript has the default platform, and its causes", () => {
    const message = `quote failed: Error: outer
    at f (/app/a.js:1:2) {
  [cause]: TypeError: inner
      at g (/app/b.js:3:4)
}`;
    const report = parse({ platform: "python", message });
    expect(report.platform).toBeUndefined();
    expect(report).toMatchObject({ type: "Error", causes: [{ type: "TypeError" }] });
  });

  it("does not replace an exception", () => {
    const exception = [{ type: "E", value: "own" }];
    expect(parse({ platform: "python", message: text, exception })).toMatchObject({
      type: "E",
      frames: [],
    });
  });
});
