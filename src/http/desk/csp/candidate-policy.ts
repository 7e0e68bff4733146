/**
 * Reads the policy to dry-run: from the query, or from a form or JSON body with the same field
 * name. A dry run changes nothing, so a link may start it; a policy too long for a URL needs the
 * form.
 */
import { ok, type Result } from "../../../core/result.ts";
import type { AppContext } from "../../context.ts";
import type { FormBodyFailure } from "../../failures.ts";
import { expected, type FormFields, type Parsed, readForm } from "../../forms/form-body.ts";

/**
 * The text of the policy: undefined without a policy, empty for an empty field. Consumes the body
 * of a POST request.
 */
export async function readCandidatePolicy(
  c: AppContext,
): Promise<Result<string | undefined, FormBodyFailure>> {
  return c.req.method === "POST"
    ? readForm(c.req.raw, "bad-form", parsePolicyField)
    : ok(c.req.query("policy"));
}

function parsePolicyField(fields: FormFields): Parsed<string> {
  const { policy = "", ...others } = Object.fromEntries(fields);
  return typeof policy === "string" && Object.keys(others).length === 0
    ? ok(policy.replace(/\r\n?/g, "\n"))
    : expected("one field, policy, with text");
}
