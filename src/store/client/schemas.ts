/** The schemas of all classes of Durable Objects. `npm run deploy` compares them with KV's record. */
import type { LaterData, RecordedVersions } from "../../core/stats/object-version.ts";
import { REGISTRY_SCHEMA } from "../accounts/registry-schema.ts";
import { ALERT_SCHEMA } from "../alerts/tables/alert-schema.ts";
import { ARTIFACT_SCHEMA } from "../artifacts/tables/artifact-schema.ts";
import { INDEX_SCHEMA } from "../index/tables/index-schema.ts";
import { LOG_SCHEMA } from "../log/log-schema.ts";
import type { Schema } from "../sqlite/database.ts";

export const SCHEMAS = {
  registry: REGISTRY_SCHEMA,
  log: LOG_SCHEMA,
  index: INDEX_SCHEMA,
  sourceMaps: ARTIFACT_SCHEMA,
  alerts: ALERT_SCHEMA,
} as const satisfies Readonly<Record<string, Schema>>;

/** The classes whose stored data this code cannot read. */
export function findLaterData({ oldest }: RecordedVersions): readonly LaterData[] {
  return Object.values(SCHEMAS).flatMap(({ object, migrations }) => {
    const needs = oldest[object] ?? 1;
    return needs > migrations.length ? { object, code: migrations.length, needs } : [];
  });
}
