/** Between requests and operations: who calls, and the output of a read as JSON. */
import { LOCAL_PERSON } from "../core/alerts/preferences.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type {
  Call,
  InputOf,
  InputSchema,
  Operation,
  OperationFailure,
  OutputOf,
  OutputSchema,
  Read,
} from "../operations/operation.ts";
import type { AppContext } from "./context.ts";
import { toFailureResponse } from "./failure-response.ts";
import type { Failure, FormReason } from "./failures.ts";
import { wantsJson } from "./send-page.tsx";

/** Who performs an operation in this request, and where. */
export function toCall(c: AppContext): Call {
  const { actor, name, projects, lowestTrust, uploadProject, mayUpload } = c.get("principal");
  const project = c.get("project");
  return {
    caller: {
      actor,
      name,
      person: getPersonId(c),
      role: getRole(c),
      projects: projects.map(({ project: { id, name: title }, role }) => ({
        id,
        name: title,
        role,
      })),
      lowestTrust,
      isUploader: uploadProject !== undefined,
      mayUpload,
    },
    project,
    services: c.get("services"),
    origin: new URL(c.req.url).origin,
  };
}

/** The key of the person in the object of alerts; `LOCAL_PERSON` under `ERRATA_LOCAL`. */
export function getPersonId(c: AppContext): string {
  const { person, actor } = c.get("principal");
  return person?.id ?? (actor.kind === "local" ? LOCAL_PERSON : "");
}

/** The role of the person in the project; null if the person has none. */
export function getRole(c: AppContext) {
  const { projects } = c.get("principal");
  return projects.find(({ project }) => project.id === c.get("project"))?.role ?? null;
}

/** The response to the failure of a read. */
export function toReadFailureResponse(failure: OperationFailure): Response {
  return toFailureResponse(toFailure(failure, "bad-form"));
}

/** The failure of an operation; `rejection` is the reason of an input that is not accepted. */
export function toFailure(failure: OperationFailure, rejection: FormReason): Failure {
  if (failure.reason !== "invalid-input") return failure;
  const [expected = "valid fields"] = Object.values(failure.fields);
  return { reason: rejection, expected };
}

/** The output of an operation; `rejection` as in `toFailure`. */
export async function perform<Input extends InputSchema, Output extends OutputSchema>(
  c: AppContext,
  operation: Operation<Input, Output>,
  input: InputOf<Input>,
  rejection: FormReason,
): Promise<Result<OutputOf<Output>, Failure>> {
  const done = await operation.perform(input, toCall(c));
  return done.ok ? ok(done.value) : fail(toFailure(done, rejection));
}

/**
 * A read as JSON for programs, otherwise as a page of what was loaded. `addUrls` adds to the output
 * what operations do not know.
 */
export async function serveRead<Input extends InputSchema, Output extends OutputSchema, Loaded>(
  c: AppContext,
  read: Read<Input, Output, Loaded>,
  input: InputOf<Input>,
  sendLoaded: (loaded: Loaded) => Response | Promise<Response>,
  addUrls?: (output: OutputOf<Output>) => object,
): Promise<Response> {
  if (wantsJson(c)) return respondWithOutput(c, read, input, addUrls);
  const loaded = await read.load(input, toCall(c));
  return loaded.ok ? sendLoaded(loaded.value) : toReadFailureResponse(loaded);
}

/** The output of a read as JSON. */
export async function respondWithOutput<Input extends InputSchema, Output extends OutputSchema>(
  c: AppContext,
  read: Read<Input, Output>,
  input: InputOf<Input>,
  addUrls: (output: OutputOf<Output>) => object = (output) => output as object,
): Promise<Response> {
  const done = await read.perform(input, toCall(c));
  return done.ok ? c.json(addUrls(done.value)) : toReadFailureResponse(done);
}
