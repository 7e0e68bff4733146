/** The settings of a project that ingest needs. */
import { findProject } from "../../core/accounts/registry.ts";
import type { ReportSettings } from "../../ingest/ingest-context.ts";
import type { Services } from "../context.ts";

/**
 * The settings in the cached copy of the registry; in one of any age while the registry is
 * unavailable, and without a copy the defaults: reports are more important than their issue.
 */
export async function findReportSettings(
  { registry, logProblem }: Pick<Services, "registry" | "logProblem">,
  project: string,
): Promise<ReportSettings> {
  const registryCopy = await registry.readCopy().catch((cause: unknown) => {
    logProblem(cause);
    return registry.getLastCopy();
  });
  return (registryCopy && findProject(registryCopy, project)) ?? {};
}
