import { describe, expect, it } from "vitest";
import type { WorkerOptions } from "#src/adapters/workers.ts";
import { capture, withErrata, wrapDurableObject } from "#src/adapters/workers.ts";
import { expectConsoleError } from "#support/console.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

// tests/clients/workers runs real Workers; this tests what they do not show.

const DSN = "https://errata_server_00112233445566778899aabbccddeeff@errata.example/1";

/** The reports that an adapter sends, and options that collect them. */
function createOptions(over: WorkerOptions = {}) {
  const sent: Record<string, unknown>[] = [];
  const options: WorkerOptions = {
    dsn: DSN,
    nowMs: () => NOW_MS,
    fetch: async (_url, init) => {
      sent.push(...JSON.parse(String(init?.body)).reports);
      return new Response("{}");
    },
    ...over,
  };
  return { options, sent };
}

/** A context of an invocation; `settle` waits for all that was passed to it. */
function createContext() {
  const tasks: Promise<unknown>[] = [];
  return {
    waitUntil: (task: Promise<unknown>) => void tasks.push(task),
    settle: () => Promise.all(tasks),
  };
}

const request = new Request("https://shop.example/cart");
const respondWith = (response: Response) => ({ fetch: (_request: Request) => response });

/** Calls a handler as the runtime does. */
async function call(handler: object, name: string, event: unknown, env: object = {}) {
  const context = createContext();
  const method: unknown = Reflect.get(handler, name);
  if (typeof method !== "function") throw new TypeError(`no ${name}`);
  const result = await Promise.resolve()
    .then(() => method(event, env, context))
    .catch((thrown: unknown) => ({ thrown }));
  await context.settle();
  return result;
}

describe("the handlers of a Worker", () => {
  it("keep their object, their other members and their prototype", async () => {
    class App {
      readonly name = "shop";
      fetch() {
        return new Response(this.name);
      }
    }
    const app = new App();
    const wrapped = withErrata(createOptions().options, app);
    expect(wrapped).toBeInstanceOf(App);
    expect(wrapped.name).toBe("shop");
    expect(await (await call(wrapped, "fetch", request)).text()).toBe("shop");
    expect(Object.hasOwn(app, "fetch")).toBe(false);
  });

  it("are those that the Worker has, and no others", () => {
    const wrapped = withErrata({}, { queue: () => undefined });
    expect(Object.keys(wrapped)).toEqual(["queue"]);
  });

  it("pass on what the Worker returns that is no response", async () => {
    const wrapped = withErrata({}, { fetch: () => undefined });
    expect(await call(wrapped, "fetch", request)).toBeUndefined();
  });

  it.each([
    ["scheduled", { cron: "* * * * *" }, { trigger: "scheduled", cron: "* * * * *" }],
    ["queue", { queue: "orders", messages: [] }, { trigger: "queue", queue: "orders" }],
    ["email", { from: "a@shop.example", to: "b@shop.example" }, { trigger: "email" }],
    ["tail", [], { trigger: "tail" }],
  ] as const)("throw the same error again: %s", async (name, event, tags) => {
    expectConsoleError();
    const error = new Error(`${name} failed`);
    const { options, sent } = createOptions();
    const wrapped = withErrata(options, {
      [name]: () => {
        throw error;
      },
    });
    expect(await call(wrapped, name, event)).toEqual({ thrown: error });
    expect(sent).toMatchObject([{ message: `${name} failed`, tags, how: "uncaught" }]);
    expect(JSON.stringify(sent)).not.toContain("@shop.example");
  });

  it("report nothing if the visitor left", async () => {
    const gone = new AbortController();
    const { options, sent } = createOptions();
    const wrapped = withErrata(options, {
      fetch: async () => {
        gone.abort();
        throw gone.signal.reason;
      },
    });
    await call(wrapped, "fetch", new Request(request, { signal: gone.signal }));
    expect(sent).toEqual([]);
  });

  it("answer as before if Errata does not", async () => {
    expectConsoleError();
    const fetch = () => Promise.reject(new TypeError("no connection"));
    const error = new Error("the database is away");
    const wrapped = withErrata(createOptions({ fetch }).options, {
      fetch() {
        throw error;
      },
    });
    expect(await call(wrapped, "fetch", request)).toEqual({ thrown: error });
  });
});

describe("the options", () => {
  const failing = {
    fetch() {
      throw new Error("no price");
    },
  };

  it("may be a function of the bindings", async () => {
    expectConsoleError();
    const { options, sent } = createOptions();
    const create = ({ NAME }: { readonly NAME: string }) => ({
      ...options,
      beforeSend: (report: object) => ({ ...report, id: "1", digest: NAME }),
    });
    await call(withErrata(create, failing), "fetch", request, { NAME: "from the binding" });
    expect(sent).toMatchObject([{ digest: "from the binding" }]);
  });

  it("have defaults in the bindings: the DSN, the version, and a service to send by", async () => {
    expectConsoleError();
    const bodies: { readonly url: string; readonly body: Record<string, unknown> }[] = [];
    const env = {
      ERRATA_DSN: DSN,
      CF_VERSION_METADATA: { id: "0b1c2d3e", tag: "" },
      ERRATA: {
        fetch: async (url: string, init: RequestInit) => {
          bodies.push({ url, body: JSON.parse(String(init.body)) });
          return new Response("{}");
        },
      },
    };
    await call(withErrata({}, failing), "fetch", request, env);
    expect(bodies).toMatchObject([
      { url: expect.stringContaining("errata.example"), body: { release: "0b1c2d3e" } },
    ]);
  });

  it("may answer in place of the error page, with the digest in the header", async () => {
    expectConsoleError();
    const respond: WorkerOptions["respond"] = ({ digest, receiptUrl }, { url }) =>
      Response.json({ digest, receiptUrl, url }, { status: 500 });
    const { options, sent } = createOptions({ respond });
    const response = (await call(withErrata(options, failing), "fetch", request)) as Response;
    const { digest, receiptUrl, url } = (await response.json()) as Record<string, string>;
    expect(url).toBe(request.url);
    expect(receiptUrl).toBe(`https://errata.example/e/${digest}`);
    expect(response.headers.get("server-timing")).toContain(`errata-digest;desc="${digest}"`);
    expect(sent).toMatchObject([{ digest }]);
  });
});

describe("Server-Timing", () => {
  const html = (headers: Record<string, string> = {}) =>
    new Response("<p>", { headers: { "content-type": "text/html", ...headers } });
  const getTiming = async (response: Response) => {
    const answered = await call(withErrata({}, respondWith(response)), "fetch", request);
    return (answered as Response).headers.get("server-timing");
  };

  it("keeps the entries of the application and of a failure behind it, and no other trace", async () => {
    const before = 'db;dur=5, errata-digest;desc="7F3K-Q2M9", errata-trace;desc="1"';
    const timing = await getTiming(html({ "server-timing": before }));
    expect(timing).toMatch(
      /^db;dur=5, errata-digest;desc="7F3K-Q2M9", errata-trace;desc="[0-9a-f]{32}"$/,
    );
  });

  it("has no token without a DSN, and no digest without a failing status", async () => {
    expect(await getTiming(html())).toMatch(/^errata-trace;desc="[0-9a-f]{32}"$/);
    expectConsoleError();
    const wrapped = withErrata(createOptions().options, {
      fetch() {
        capture(new Error("handled"));
        return new Response("fine");
      },
    });
    const response = (await call(wrapped, "fetch", request)) as Response;
    expect(response.headers.get("server-timing")).toBeNull();
  });
});

describe("the class of a Durable Object", () => {
  class Base {
    readonly ctx = { id: "c0ffee", ...createContext() };
    readonly env = {};
    save(value: number) {
      if (value < 0) throw new RangeError("below zero");
      return value;
    }
  }

  function createCounter() {
    const { options, sent } = createOptions();
    class Counter extends Base {
      override save(value: number) {
        return super.save(value) + 1;
      }
      async saveAll(values: readonly number[]) {
        return values.map((value) => {
          try {
            return this.save(value);
          } catch {
            return 0;
          }
        });
      }
      get size() {
        return 1;
      }
    }
    return { Counter: wrapDurableObject(Counter, options), sent };
  }

  it("is the same class, with its name, its getters and its synchronous methods", () => {
    const { Counter } = createCounter();
    const counter = new Counter();
    expect(Counter.name).toBe("Counter");
    expect(counter.size).toBe(1);
    expect(counter.save(1)).toBe(2);
  });

  it("reports a failure once, though a method calls that of its parent", async () => {
    expectConsoleError();
    const { Counter, sent } = createCounter();
    const counter = new Counter();
    expect(() => counter.save(-1)).toThrow("below zero");
    await counter.ctx.settle();
    expect(sent).toMatchObject([
      {
        message: "below zero",
        tags: {
          trigger: "object-rpc",
          entrypoint: "Counter",
          method: "save",
          "durable object": "c0ffee",
        },
      },
    ]);
  });

  it("does not report what another method of the object handles", async () => {
    const { Counter, sent } = createCounter();
    const counter = new Counter();
    expect(await counter.saveAll([-1, 1])).toEqual([0, 2]);
    await counter.ctx.settle();
    expect(sent).toEqual([]);
  });

  it("leaves the parent class as it is", () => {
    const { save } = Base.prototype;
    createCounter();
    expect(Base.prototype.save).toBe(save);
    expect(() => new Base().save(-1)).toThrow("below zero");
  });

  it("reports an argument's members as nothing but an argument", async () => {
    expectConsoleError();
    const { options, sent } = createOptions();
    class Printer extends Base {
      print(_order: object) {
        throw new Error("no paper");
      }
    }
    wrapDurableObject(Printer, options);
    const printer = new Printer();
    expect(() => printer.print({ queue: "secret", cron: "secret", retryCount: 5 })).toThrow();
    await printer.ctx.settle();
    expect(JSON.stringify(sent)).not.toContain("secret");
  });
});

describe("an error that another Worker or object has named", () => {
  const toRemote = (over: object = {}) =>
    Object.assign(new Error("the cart is empty"), {
      remote: true,
      errataDigest: "7F3K-Q2M9",
      ...over,
    });

  it.each([
    { name: "keeps its digest", error: toRemote(), digest: "7F3K-Q2M9", isCarried: true },
    { name: "is new if it was not remote", error: toRemote({ remote: false }) },
    { name: "is new if its digest is none", error: toRemote({ errataDigest: "7F3K-Q2M8" }) },
  ])("$name", async ({ error, digest = expect.not.stringMatching("7F3K"), isCarried }) => {
    expectConsoleError();
    const { options, sent } = createOptions();
    const wrapped = withErrata(options, {
      fetch() {
        throw error;
      },
    });
    await call(wrapped, "fetch", request);
    expect(sent).toMatchObject([{ digest }]);
    expect(sent[0]?.isCarried).toBe(isCarried);
  });
});
