// Records what the bindings of the Worker answer. The recording build wraps the handler of the built
// Worker with this module.

import { toKind } from "../../src/warm-up/recording.ts";

/** A GET of this path returns the answers since the last such request, as JSON. */
export const ANSWERS_PATH = "/recorded-answers";

/** As `Answers` of `src/warm-up/recording.ts`. */
type Answers = Record<string, unknown[]>;

type Env = Readonly<Record<string, unknown>>;

interface Handler {
  fetch(request: Request, env: Env, context: object): Promise<Response>;
}

let answers: Answers = {};

/** Wraps the handler of the Worker. */
export function createHandler(built: Handler): Handler {
  return {
    ...built,
    async fetch(request, env, context) {
      if (new URL(request.url).pathname !== ANSWERS_PATH)
        return built.fetch(request, recordBindings(env), context);
      const response = Response.json(answers);
      answers = {};
      return response;
    },
  };
}

/** The Worker keeps its services for as long as the bindings are the same object. */
const recordedEnvs = new WeakMap<Env, Env>();

function recordBindings(env: Env): Env {
  const known = recordedEnvs.get(env);
  if (known !== undefined) return known;
  const entries = Object.entries(env).map(([name, binding]) => {
    if (typeof binding !== "object" || binding === null) return [name, binding];
    if ("idFromName" in binding) return [name, recordNamespace(name, binding)];
    return [name, name === "KV" ? recordCalls(name, binding) : binding];
  });
  const recorded: Env = Object.fromEntries(entries);
  recordedEnvs.set(env, recorded);
  return recorded;
}

function recordNamespace(binding: string, real: object): object {
  return new Proxy(real, {
    get(target, name) {
      const call = (...args: unknown[]) => callMethod(target, name, args);
      if (name !== "get" && name !== "getByName") return call;
      return (...args: unknown[]) => recordCalls(binding, call(...args) as object);
    },
  });
}

function recordCalls(binding: string, real: object): object {
  return new Proxy(real, {
    get(target, name) {
      if (typeof name === "symbol" || ["id", "name", "then"].includes(name))
        return Reflect.get(target, name);
      return async (...args: unknown[]) => {
        const answer = await callMethod(target, name, args);
        // As it is now: what the Worker does with it is no part of the answer.
        const call = `${binding}.${name}${binding === "KV" ? ` ${toKind(args[0])}` : ""}`;
        answers[call] ??= [];
        answers[call]?.push(answer === undefined ? null : structuredClone(answer));
        return answer;
      };
    },
  });
}

function callMethod(target: object, name: string | symbol, args: unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, name) as (...args: unknown[]) => unknown, target, args);
}
