// Setup file of the `worker` project, whose files share an isolate: each file starts with an empty
// store, also when work of the previous file ended after its last test, and with an isolate that
// remembers no registry.

import { beforeAll } from "vitest";
import { forgetIsolate } from "#support/http/visit.ts";
import { emptyStore } from "./empty-store.ts";

beforeAll(async () => {
  forgetIsolate();
  await emptyStore();
});
