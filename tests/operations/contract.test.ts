// The contract of `/api/v1` as a text with one line for each name, type and value. A line may be
// added, because programs ignore what they do not know. A line that is removed or changed breaks
// them: see the rules of stability in `/openapi.json`. To add lines, run
// `vitest run --config=tests/vitest.config.ts --project=core tests/operations/contract.test.ts -u`.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { JsonSchema } from "#src/http/api/json-schema.ts";
import { createOpenApi } from "#src/http/api/openapi.ts";

const FIXTURE = "tests/fixtures/api/contract.txt";

/** The lines of a schema: `.state string`, `.state = "open"`. */
function listSchema(schema: JsonSchema, path: string): readonly string[] {
  const { $ref, type, format, anyOf = [], properties = {}, required = [], items } = schema;
  if ($ref !== undefined) return [`${path} ${$ref.replace(/^.*\//, "")}`];
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const other = schema.additionalProperties;
  return [
    ...(type === undefined ? [] : [[path, type, format].filter(Boolean).join(" ")]),
    ...values.map((value) => `${path} = ${JSON.stringify(value)}`),
    ...anyOf.flatMap((one) => listSchema(one, path)),
    ...required.map((name) => `${path}.${name} always`),
    ...Object.entries(properties).flatMap(([name, one]) => listSchema(one, `${path}.${name}`)),
    ...(typeof other === "object" ? listSchema(other, `${path}{}`) : []),
    ...(typeof items === "object" ? listSchema(items, `${path}[]`) : []),
    ...(schema.prefixItems ?? []).flatMap((one, n) => listSchema(one, `${path}[${n}]`)),
  ];
}

/** The part of the document that this test reads. */
interface Described {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** The lines of all operations; those that every operation has are there once, as `all`. */
function shareLines(operations: readonly (readonly [string, readonly string[]])[]) {
  const [[, first] = ["", []]] = operations;
  const shared = first.filter((line) => operations.every(([, lines]) => lines.includes(line)));
  const own = operations.flatMap(([name, lines]) =>
    lines.filter((line) => !shared.includes(line)).map((line) => `${name}: ${line}`),
  );
  return [...shared.map((line) => `all: ${line}`), ...own];
}

function listContract(): readonly string[] {
  const { paths, components } = createOpenApi();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId, parameters, requestBody, responses } = operation as Described;
      const body = requestBody?.content["application/json"]?.schema;
      const lines = [
        `${method.toUpperCase()} ${path}`,
        ...parameters.flatMap((one) => [
          ...listSchema(one.schema, `${one.in} ${one.name}`),
          ...(one.required ? [`${one.in} ${one.name} required`] : []),
        ]),
        ...(body === undefined ? [] : listSchema(body, `body`)),
        ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
          Object.values(content).flatMap(({ schema }) => {
            const { reason } = schema.properties ?? {};
            const isProblem = status !== "200" && reason !== undefined;
            return isProblem
              ? (reason.enum ?? []).map((one) => `${status} ${one}`)
              : listSchema(schema, `${status}`);
          }),
        ),
      ];
      return [[operationId, lines] as const];
    }),
  );
  const schemas: Readonly<Record<string, JsonSchema>> = components.schemas;
  const named = Object.entries(schemas).flatMap(([name, one]) => listSchema(one, name));
  return [...shareLines(operations), ...named];
}

it("keeps every name, type and value that programs may use", async () => {
  const lines = listContract();
  const before = readFileSync(FIXTURE, "utf8").split("\n").filter(Boolean);
  const gone = before.filter((line) => !lines.includes(line));
  expect(gone, "Programs may use what these lines say: see the top of this test.").toEqual([]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(resolve(FIXTURE));
});
