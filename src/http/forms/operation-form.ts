/**
 * A form or the same fields as JSON → an operation → a redirect with a message, or JSON. The
 * operation authorizes, validates and records the change.
 */
import { parseDigest } from "../../core/grouping/parse-digest.ts";
import { fail, ok } from "../../core/result.ts";
import { getMemberType } from "../../operations/inputs.ts";
import type { Operation } from "../../operations/operation.ts";
import type { AppContext } from "../context.ts";
import { toFailureResponse } from "../failure-response.ts";
import type { Failure, FormReason } from "../failures.ts";
import { addIssueUrls } from "../issue-urls.ts";
import { toCall, toFailure } from "../operation-call.ts";
import { type FormFields, type Parsed, readForm } from "./form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "./form-error-page.ts";
import { toOperationFlash } from "./messages.ts";
import { respondToAction } from "./respond.ts";
import { isTrueValue } from "./validators.ts";

/** What the fields of a form ask for. */
export interface RequestedOperation {
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>>;
  /** The page to which the response leads, if the fields name it; not validated. */
  readonly returnTo?: unknown;
}

/** The address of a form, and the operations that it can request. */
export interface OperationForm {
  /** A pattern within the project. */
  readonly path: string;
  /** They require the same role. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** The reason of a response to fields that are not accepted. */
  readonly rejection: FormReason;
  /** The field that may occur several times. */
  readonly repeated?: string;
  readonly read: (fields: FormFields, c: AppContext) => Parsed<RequestedOperation>;
  /** The path of the page after the change. */
  readonly redirectTo: (c: AppContext, requested: RequestedOperation, output: unknown) => string;
  /** The path of the page that says why the form was rejected. */
  readonly formPath?: (
    c: AppContext,
    failure: Failure,
    requested: RequestedOperation | undefined,
  ) => string | Promise<string>;
  /** Shows the form again with the reason, in place of `formPath`. */
  readonly show?: (
    c: AppContext,
    rejected: RejectedForm,
    requested: RequestedOperation | undefined,
  ) => Promise<Response>;
}

/** Performs the operation of a form, and responds (`respondToAction`). */
export async function submitForm(c: AppContext, form: OperationForm): Promise<Response> {
  const { rejection, repeated } = form;
  const digest = c.req.param("digest");
  // No issue has another code, and no page its form.
  if (digest !== undefined && !parseDigest(digest).ok)
    return toFailureResponse({ reason: "unknown-digest" });
  let requested: RequestedOperation | undefined;
  const perform = async () => {
    const read = await readForm(c.req.raw, rejection, (fields) => form.read(fields, c), repeated);
    if (!read.ok) return read;
    requested = read.value;
    const { operation } = requested;
    const done = await operation.perform(toTypedInput(operation, requested.input), toCall(c));
    if (!done.ok) return fail(toFailure(done, rejection));
    const { value, message, undoId } = done;
    return ok({
      body: addIssueUrls(c, value as object),
      redirectTo: form.redirectTo(c, requested, value),
      flash: message && toOperationFlash(message, undoId),
      status: hasMember(value, "startedJob") ? 202 : 200,
    } as const);
  };
  const response = await respondToAction(c, perform, {
    getFormPath: (failure) => form.formPath?.(c, failure, requested),
  });
  const { show } = form;
  return show === undefined
    ? response
    : rerenderFormOnError(c, response, (rejected) => show(c, rejected, requested));
}

/** The texts of fields as the types of the operation's input. Other values stay as they are. */
function toTypedInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const typed = Object.entries(input).map(([name, value]) => {
    switch (getMemberType(operation.input, name)) {
      case "number":
        return [
          name,
          typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value,
        ];
      case "boolean":
        return [name, isTrueValue(value) || value];
      default:
        return [name, value];
    }
  });
  return Object.fromEntries(typed);
}

/** The text member of an output. */
export function readMember(value: unknown, name: string): string {
  const member: unknown = hasMember(value, name) ? Reflect.get(value, name) : undefined;
  return typeof member === "string" ? member : "";
}

function hasMember(value: unknown, name: string): value is object {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
