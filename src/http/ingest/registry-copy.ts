/**
 * The registry as ingest reads it: outdated settings are better than lost reports, so a copy of any
 * age serves while the registry is unavailable.
 */
import { findProject, type Project, type RegistryState } from "../../core/accounts/registry.ts";
import type { Services } from "../context.ts";

type RegistryServices = Pick<Services, "registry" | "logProblem">;

/** The cached copy, or one of any age while the registry is unavailable; null without one. */
export async function readAnyCopy({
  registry,
  logProblem,
}: RegistryServices): Promise<RegistryState | null> {
  return registry.readCopy().catch((cause: unknown) => {
    logProblem(cause);
    return registry.getLastCopy();
  });
}

/**
 * The last copy, refreshed for later requests; null if there is none. For requests that the
 * configuration admits: they do not wait for a newer copy.
 */
export async function readLastCopy(
  services: RegistryServices & Pick<Services, "waitUntil">,
): Promise<RegistryState | null> {
  const lastCopy = services.registry.getLastCopy();
  const newer = readAnyCopy(services);
  if (lastCopy === null) return newer;
  services.waitUntil(newer);
  return lastCopy;
}

/** Settings of a project that decide about the issue of a report. Absent ones are the defaults. */
type ReportSettings = Pick<Project, "disabledNoiseRules" | "splitDigests">;

/** The settings of a project for its reports; without a copy the defaults. */
export function findReportSettings(
  registryCopy: RegistryState | null,
  project: string,
): ReportSettings {
  const { disabledNoiseRules, splitDigests }: ReportSettings =
    (registryCopy && findProject(registryCopy, project)) ?? {};
  return { disabledNoiseRules, splitDigests };
}
