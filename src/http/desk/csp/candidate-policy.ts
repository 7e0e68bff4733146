/**
 * The policy that somebody wants to try: as a query or as a form or JSON, under the same name. Trying changes nothing, so a link may
 * do it; what is too long for an address comes as a form.
 */
import { fail, ok, type Result } from "../../../core/result.ts";
import type { AppContext } from "../../context.ts";
import type { FormBodyFailure } from "../../failures.ts";
import { readFormBody } from "../../forms/form-body.ts";

/** Addresses of this length work everywhere (RFC 9110 § 4.1 asks for 8,000 octets). */
const MAX_URL_CHARS = 4_000;

/** The text of the policy; undefined where none is to be tried, empty where the form was left empty. Consumes a form. */
export async function readCandidatePolicy(
  c: AppContext,
): Promise<Result<string | undefined, FormBodyFailure>> {
  if (c.req.method !== "POST") return ok(c.req.query("policy"));
  const fields = await readFormBody(c.req.raw);
  if (!fields.ok) return fields;
  const { policy = "", ...others } = Object.fromEntries(fields.value);
  if (typeof policy !== "string" || Object.keys(others).length > 0)
    return fail({ reason: "bad-form", expected: "one field, policy, a text" });
  return ok(policy.replace(/\r\n?/g, "\n"));
}

/** An address that tries a policy; undefined for one that is too long for an address. */
export function toDryRunUrl(policy: string): string | undefined {
  const url = `/csp?${new URLSearchParams({ policy })}`;
  return url.length <= MAX_URL_CHARS ? url : undefined;
}
