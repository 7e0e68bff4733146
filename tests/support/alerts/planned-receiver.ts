/** A receiver of webhooks whose answers a test plans. */
import { type MockInstance, vi } from "vitest";

/** A request that the receiver got. */
interface ReceivedAlert {
  readonly url: string;
  readonly id: string;
  readonly signature: string;
  readonly type: string;
  /** The whole body, for services without signatures. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly data: {
    readonly title: string;
    readonly reasons: readonly { readonly text: string; readonly rules: { name: string }[] }[];
    readonly issues: readonly {
      readonly digest: string;
      readonly trust: string;
      readonly message: string;
      readonly place?: string;
      readonly source?: string;
      readonly cause?: string;
      readonly level?: string;
      readonly deployed?: string;
      readonly resolved?: { readonly by?: string; readonly release?: string };
      readonly links: Readonly<Record<string, string>>;
    }[];
    readonly summary?: { readonly issues: number; readonly digests: readonly string[] };
  };
}

/** The answer to the request with this number, from 0. */
type Plan = (n: number, url: string) => Response | Promise<Response>;

/** Receives every request of the Worker from `start` until `restore`. */
export class PlannedReceiver {
  received: ReceivedAlert[] = [];
  plan: Plan = () => new Response("ok");
  #spy: MockInstance | undefined;

  /** Forgets the requests and the plan of the test before. */
  start(): void {
    this.received = [];
    this.plan = () => new Response("ok");
    this.#spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit);
      const body = (await request.json()) as Pick<ReceivedAlert, "type" | "data">;
      const { type, data } = body;
      const id = request.headers.get("webhook-id") ?? "";
      const signature = request.headers.get("webhook-signature") ?? "";
      this.received.push({ url: request.url, id, signature, type, data, body: { ...body } });
      return this.plan(this.received.length - 1, request.url);
    });
  }

  /** The titles of all messages, in order. */
  get titles(): string[] {
    return this.received.map(({ data }) => data.title);
  }

  restore(): void {
    this.#spy?.mockRestore();
  }
}
