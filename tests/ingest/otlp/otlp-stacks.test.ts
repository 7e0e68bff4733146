// Exceptions and logs of the SDKs of all languages: stacks, causes, templates and exact numbers.

import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ParsedReport } from "#src/core/report.ts";
import { decodeOtlpLogs } from "#src/ingest/otlp/otlp-messages.ts";
import { parseOtlpLogs } from "#src/ingest/otlp/parse-otlp.ts";
import { toAnyValue, toAttributes, type Value } from "#support/reports/otlp-values.ts";
import { getReport } from "#support/reports/parsed-items.ts";

type Attributes = Readonly<Record<string, Value>>;

/** The report of one log record of an SDK. */
function read(language: string | undefined, attributes: Attributes, body?: Value): ParsedReport {
  const resource: Record<string, string> =
    language === undefined ? {} : { "telemetry.sdk.language": language };
  const record = {
    timeUnixNano: "1795277313733000000",
    severityNumber: 17,
    attributes: toAttributes(attributes),
    ...(body !== undefined && { body: toAnyValue(body) }),
  };
  const group = {
    resource: { attributes: toAttributes(resource) },
    scopeLogs: [{ logRecords: [record] }],
  };
  const parsed = parseOtlpLogs({ resourceLogs: [group] });
  if (!parsed.ok) throw new Error(parsed.expected);
  return getReport(parsed.value[0]);
}

const thrown = (type: string, message: string, stacktrace: string) => ({
  "exception.type": type,
  "exception.message": message,
  "exception.stacktrace": stacktrace,
});

describe("an exception of the SDK of", () => {
  it("Java has frames with file, line and function", () => {
    const stack = `java.lang.IllegalStateException: no price in java
\tat com.acme.shop.Bill.run(Bill.java:42)
\tat com.acme.shop.Main.main(Main.java:7)
`;
    const report = read(
      "java",
      thrown("java.lang.IllegalStateException", "no price in java", stack),
      "x",
    );
    expect(report).toMatchObject({
      kind: "error",
      platform: "java",
      type: "java.lang.IllegalStateException",
      message: "no price in java",
      stack,
    });
    expect(report.frames).toEqual([
      {
        module: "com.acme.shop.Bill",
        function: "run",
        file: "Bill.java",
        line: 42,
        inApp: true,
      },
      {
        module: "com.acme.shop.Main",
        function: "main",
        file: "Main.java",
        line: 7,
        inApp: true,
      },
    ]);
  });

  it("Python has frames with file, line, function and source", () => {
    const stack = `Traceback (most recent call last):
  File "/srv/shop/bill.py", line 42, in run
    price()
ValueError: no price in python
`;
    const report = read("python", thrown("ValueError", "no price in python", stack), "x");
    expect(report.platform).toBe("python");
    expect(report.frames).toEqual([
      { function: "run", file: "/srv/shop/bill.py", line: 42, source: "price()", inApp: true },
    ]);
  });

  it("Node is JavaScript, which is the default", () => {
    const stack = `TypeError: no zone
    at surcharge (/app/dist/pricing/surcharge.js:12:29)`;
    const report = read("nodejs", thrown("TypeError", "no zone", stack));
    expect(report.platform).toBeUndefined();
    expect(report.frames).toEqual([
      {
        function: "surcharge",
        file: "/app/dist/pricing/surcharge.js",
        line: 12,
        column: 29,
        inApp: true,
      },
    ]);
  });

  it.each([
    ["cpp", "native"],
    ["dotnet", "dotnet"],
    ["erlang", "elixir"],
    ["go", "go"],
    ["php", "php"],
    ["ruby", "ruby"],
    ["rust", "rust"],
    ["swift", "native"],
    ["webjs", undefined],
    ["lua", "other"],
  ])("%s has the platform %s", (language, platform) => {
    expect(read(language, { "exception.type": "E" }).platform).toBe(platform);
    expect(read(language, {}, "m").platform).toBe(platform);
  });

  it("an unknown language has the platform and the frames of its text", () => {
    const stack = "panic: boom\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/build/main.go:3 +0x1\n";
    expect(read(undefined, thrown("E", "boom", stack))).toMatchObject({
      platform: "go",
      frames: [{ module: "main", function: "f", file: "/build/main.go", line: 3 }],
    });
  });
});

describe("the errors of a stack", () => {
  const OUTER =
    "com.acme.ServiceException: in the text\n\tat com.acme.shop.Pay.charge(Pay.java:30)";
  const INNER = `Caused by: java.net.SocketTimeoutException: Read timed out
\tat com.acme.shop.Http.post(Http.java:7)
\t... 12 more`;

  it("the causes are those of the text, the error itself is that of the attributes", () => {
    const attributes = thrown("com.acme.ServiceException", "charge failed", `${OUTER}\n${INNER}`);
    expect(read("java", attributes)).toMatchObject({
      type: "com.acme.ServiceException",
      message: "charge failed",
      frames: [{ function: "charge" }],
      causes: [
        {
          type: "java.net.SocketTimeoutException",
          message: "Read timed out",
          frames: [{ module: "com.acme.shop.Http", function: "post" }],
        },
      ],
    });
  });

  it("type and message are those of the text if there are no attributes for them", () => {
    expect(read("java", { "exception.stacktrace": OUTER })).toMatchObject({
      type: "com.acme.ServiceException",
      message: "in the text",
    });
    expect(read("java", { "exception.stacktrace": "java.io.IOException: gone" })).toMatchObject({
      type: "java.io.IOException",
      message: "gone",
      frames: [],
    });
    expect(read("java", { "exception.stacktrace": "gone" })).toMatchObject({
      type: "Error",
      message: "",
    });
  });

  it("the members of a group are marked", () => {
    const stack = `  + Exception Group Traceback (most recent call last):
  |   File "/srv/x.py", line 5, in main
  | ExceptionGroup: many (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/x.py", line 9, in a
    | ValueError: a
    +------------------------------------
`;
    expect(read("python", thrown("ExceptionGroup", "many", stack))).toMatchObject({
      isGroup: true,
      causes: [{ type: "ValueError", frames: [{ function: "a" }] }],
    });
  });

  it("causes and frames above the limits are omitted and named", () => {
    const frames = "\n\tat com.acme.shop.Pay.charge(Pay.java:30)".repeat(limits.maxFrames + 1);
    const causes = "\nCaused by: com.acme.E: m".repeat(limits.maxCauses + 1);
    const report = read("java", { "exception.stacktrace": `com.acme.E: m${frames}${causes}` });
    expect(report.frames).toHaveLength(limits.maxFrames);
    expect(report.causes).toHaveLength(limits.maxCauses);
    expect(report.truncated).toEqual(expect.arrayContaining(["causes", "frames"]));
  });

  it("the first cause at the end of a stack that is longer than the stored text is kept", () => {
    const frames = "\n\tat com.acme.shop.Bill.total(Bill.java:12)".repeat(1_000);
    const stack = `com.acme.Outer: a${frames}\nCaused by: com.acme.Inner: b${frames}`;
    const report = read("java", { "exception.stacktrace": stack });
    expect(report.stack).toHaveLength(limits.maxStackChars);
    expect(report.causes?.[0]?.type).toBe("com.acme.Inner");
  });
});

describe("a logged text", () => {
  const LOGGED = `Checkout failed
Traceback (most recent call last):
  File "/srv/shop/cart.py", line 8, in load
    return total(cart)
  File "/srv/shop/bill.py", line 4, in total
    return cart["x"]
KeyError: 'x'`;

  it.each([undefined, "python", "nodejs"])("with a stack is an error (language %s)", (language) => {
    const report = read(language, { "cart.id": 7 }, LOGGED);
    expect(report).toMatchObject({
      kind: "error",
      platform: "python",
      type: "KeyError",
      message: "'x'",
      frames: [{ function: "total" }, { function: "load" }],
      stack: LOGGED,
      detail: { logged: LOGGED, attributes: { "cart.id": 7 } },
    });
  });

  it.each([
    ["one frame", "Checkout failed\nKeyError: x\n    at f (/app/a.js:1:2)"],
    ["no type", "Each child needs a key\n    at f (/app/a.js:1:2)\n    at g (/app/a.js:1:2)"],
    ["no frames", "Checkout failed\nTypeError: x\nsee the manual"],
  ])("with %s is a message", (_name, body) => {
    expect(read("nodejs", {}, body)).toMatchObject({ kind: "message", message: body, frames: [] });
  });
});

describe("the template of a message", () => {
  it.each([
    ["{OriginalFormat}", "Order {OrderId} of {@User:l} failed after {Ms:0.0} ms"],
    ["message_template.text", "Order {OrderId} of {User,10} failed after {Ms} ms"],
    ["message.template", "Order %(OrderId)s of %(User)s failed after %(Ms)d ms"],
    ["log.record.template", "Order %{OrderId} of {User} failed after {Ms} ms"],
  ])("%s has the attributes that it names", (key, text) => {
    const attributes = { [key]: text, OrderId: 7, User: "ada", Ms: 1.5, other: "x" };
    const report = read("dotnet", attributes, "Order 7 of ada failed after 1.5 ms");
    expect(report).toMatchObject({
      message: "Order 7 of ada failed after 1.5 ms",
      template: { text, params: { OrderId: 7, User: "ada", Ms: 1.5 } },
      detail: { attributes: { OrderId: 7, other: "x" } },
    });
    expect(JSON.stringify(report.detail)).not.toContain(key);
  });

  it("is filled in if the body is the template", () => {
    const text = "Order {OrderId} of {User} failed";
    const report = read("dotnet", { "{OriginalFormat}": text, OrderId: 7 }, text);
    expect(report.message).toBe("Order 7 of {User} failed");
    expect(report.template).toEqual({ text, params: { OrderId: 7 } });
  });

  it("has no parameters if it names none", () => {
    const report = read("python", { "message.template": "user %s was not found" }, "user 7 was …");
    expect(report.template).toEqual({ text: "user %s was not found" });
  });
});

describe("integers above 2^53", () => {
  const ID = "608548899684111178";

  it("stay exact in JSON", () => {
    const attribute = { key: "order", value: { intValue: ID } };
    const body = { kvlistValue: { values: [{ key: "id", value: { intValue: `-${ID}` } }] } };
    const record = { severityNumber: 17, attributes: [attribute], body };
    const parsed = parseOtlpLogs({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    const report = getReport(parsed.ok ? parsed.value[0] : undefined);
    expect(report.detail).toMatchObject({ attributes: { order: ID } });
    expect(report.message).toBe(`{"id":"-${ID}"}`);
  });

  it("stay exact in protobuf", () => {
    // LogRecord { severityNumber: 17, attributes: [{ key: "id", value: { intValue: ID } }] }.
    const varint = writeVarint(BigInt(ID));
    const value = [0x18, ...varint];
    const keyValue = [0x0a, 2, 0x69, 0x64, 0x12, value.length, ...value];
    const record = [0x10, 17, 0x2a, 3, 0x0a, 1, 0x6d, 0x32, keyValue.length, ...keyValue];
    const scope = [0x12, record.length, ...record];
    const resource = [0x12, scope.length, ...scope];
    const decoded = decodeOtlpLogs(new Uint8Array([0x0a, resource.length, ...resource]));
    if (!decoded.ok) throw new Error(decoded.expected);
    const parsed = parseOtlpLogs(decoded.value);
    const report = getReport(parsed.ok ? parsed.value[0] : undefined);
    expect(report.detail).toMatchObject({ attributes: { id: ID } });
  });
});

function writeVarint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
