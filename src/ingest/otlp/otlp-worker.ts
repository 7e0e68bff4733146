/**
 * The facts of a Worker in the attributes of Cloudflare's own export, and the failures that only
 * its outcome tells. Source: developers.cloudflare.com › Workers › Observability › Traces › Spans
 * and attributes; workerd src/workerd/io/trace-tags.
 */
import { asNumber, type JsonFields } from "../../core/decode/as-type.ts";
import {
  describeOutcome,
  isFailedOutcome,
  toWorkerContext,
  type WorkerFacts,
} from "../decode/worker-facts.ts";
import { findAttribute, type OtlpAttributes } from "./otlp-attributes.ts";

/** The service that tests a new destination. */
const TEST_SERVICE = "cloudflare-workers-observability";

/** True for what Cloudflare sends to test a destination. */
export function isDestinationTest(resource: OtlpAttributes): boolean {
  return findAttribute(resource, "service.name") === TEST_SERVICE;
}

/** The facts that the attributes state; none for other senders. */
export function readWorkerFacts(attributes: OtlpAttributes): WorkerFacts {
  const read = createReader(attributes);
  const script = read("script_name");
  if (script === undefined) return {};
  return {
    script,
    trigger: read("handler_type") ?? findAttribute(attributes, "faas.trigger"),
    entrypoint: read("entrypoint"),
    outcome: read("outcome"),
    model: read("execution_model"),
    cron: findAttribute(attributes, "faas.cron"),
    queue: read("queue.name"),
    method: read("jsrpc.method", "rpcMethod"),
    version: read("script_version.id"),
    "durable object": read("durable_object.id"),
    colo: read("colo"),
  };
}

/** The context of the report. Undefined if nothing was measured. */
export function readWorkerContext(attributes: OtlpAttributes): JsonFields | undefined {
  const read = createReader(attributes);
  const readMs = (name: string) =>
    asNumber(findAttribute(attributes, `${name}_time_ms`) ?? read(`${name}_time`));
  return toWorkerContext({
    cpuMs: readMs("cpu"),
    wallMs: readMs("wall"),
    others: { "batch size": asNumber(read("queue.batch_size")) },
  });
}

function createReader(attributes: OtlpAttributes) {
  return (...names: readonly string[]) =>
    findAttribute(attributes, ...names.map((name) => `cloudflare.${name}`));
}

/**
 * The attributes of an exception for a span whose Worker the platform ended, and the fingerprint of
 * the tail event about it. Undefined if it did not; an exception of the Worker is one itself.
 */
export function findEndedWorker(attributes: OtlpAttributes) {
  const { outcome = "ok", script = "", entrypoint = "" } = readWorkerFacts(attributes);
  if (outcome === "exception" || !isFailedOutcome(outcome)) return undefined;
  return {
    attributes: new Map([
      ["exception.type", { stringValue: outcome }],
      ["exception.message", { stringValue: describeOutcome(outcome) }],
    ]),
    fingerprint: ["worker-outcome", outcome, script, entrypoint],
  };
}
