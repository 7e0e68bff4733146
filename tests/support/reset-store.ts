// Setup file of the `worker` project, whose files share an isolate: each file starts with an empty
// store, also when work of the previous file ended after its last test.

import { beforeAll } from "vitest";
import { fresh } from "./fresh.ts";

beforeAll(fresh);
