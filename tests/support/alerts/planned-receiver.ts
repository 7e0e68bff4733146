/** A receiver of webhooks whose answers a test plans, and the steps of tests with alerts. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { Destination } from "../../../src/core/alerts/destination.ts";
import type { Report } from "../../../src/core/report.ts";
import { eventually } from "../eventually.ts";
import { aReport } from "../reports.ts";
import { alertSender, index, log, projectStore } from "../store.ts";

export const ALERT_ORIGIN = "https://errata.example";

/** A request that the receiver got. */
export interface ReceivedAlert {
  readonly url: string;
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly title: string;
    readonly reasons: readonly { readonly text: string; readonly rules: { name: string }[] }[];
    readonly issues: readonly {
      readonly digest: string;
      readonly message: string;
      readonly links: Readonly<Record<string, string>>;
    }[];
    readonly summary?: { readonly issues: number; readonly digests: readonly string[] };
  };
}

/** The answer to the request with this number, from 0. */
type Plan = (n: number, url: string) => Response | Promise<Response>;

/** Receives every request of the Worker until `restore`. */
export class PlannedReceiver {
  readonly received: ReceivedAlert[] = [];
  plan: Plan = () => new Response("ok");
  readonly #spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    const { type, data } = (await request.json()) as Pick<ReceivedAlert, "type" | "data">;
    const id = request.headers.get("webhook-id") ?? "";
    this.received.push({ url: request.url, id, type, data });
    return this.plan(this.received.length - 1, request.url);
  });

  /** The titles of all messages, in order. */
  get titles(): string[] {
    return this.received.map(({ data }) => data.title);
  }

  restore(): void {
    this.#spy.mockRestore();
  }
}

/** A webhook of the project. */
export function aWebhook(id: string, over: Partial<Destination> = {}): Destination {
  const secret = `whsec_${btoa("0123456789abcdef01234567")}`;
  const settings = { kind: "webhook", url: `https://hooks.example.com/${id}`, secret } as const;
  return { id, name: `#${id}`, settings, ...over };
}

/** Appends reports that occur now, and waits until the alert sender has their alerts. */
export async function reportNow(...reports: readonly Partial<Report>[]): Promise<void> {
  const occurredAtMs = Date.now();
  await log.append(
    reports.map((over) =>
      aReport(0, { id: newId(), occurredAtMs, receivedAtMs: occurredAtMs, ...over }),
    ),
  );
  await handOver();
}

function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Waits until the index has judged everything and handed its alerts over. */
export async function handOver(): Promise<void> {
  await projectStore.listNewestIssues();
  await eventually(async () => {
    const rows = await runInDurableObject(index(), (_, { storage }) =>
      storage.sql.exec("SELECT n FROM alert_outbox").toArray(),
    );
    if (rows.length > 0) throw new Error(`${rows.length} alerts wait`);
  });
}

/** Waits until the index has the rules. */
export function pushRules(): Promise<void> {
  return eventually(async () => {
    await sendDue();
    const isPushed = await runInDurableObject(
      alertSender(),
      (_, { storage }) =>
        storage.sql
          .exec<{ pushed: number }>(
            "SELECT pushed_version = json_extract(body, '$.version') AS pushed FROM settings",
          )
          .one().pushed,
    );
    if (isPushed !== 1) throw new Error("the index has other rules");
  });
}

/** Sends what is due. */
export async function sendDue(): Promise<void> {
  await runDurableObjectAlarm(alertSender());
  await alertSender().waitUntilIdle();
}

/** A clock that tests set forward. */
export class TestClock {
  #offsetMs = 0;
  readonly #now = Date.now.bind(Date);
  readonly #spy = vi.spyOn(Date, "now").mockImplementation(() => this.#now() + this.#offsetMs);

  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  restore(): void {
    this.#spy.mockRestore();
  }
}
