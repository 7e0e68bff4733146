/**
 * Shares of the registry, which has a maximum size: no owner can fill it for the others. Every
 * project and every person has a guaranteed share. Sizes above it count against one pool.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { RegistryFailure } from "./change-types.ts";
import type { RegistryState } from "./registry.ts";

/** Sizes as JSON, in characters, by id. */
interface Sizes {
  readonly projects: ReadonlyMap<string, number>;
  readonly people: ReadonlyMap<string, number>;
}

/**
 * Fails with `too-many` if a project grows beyond its maximum, or if the change takes more from the
 * pool than it has. `isUrgent` changes may use the reserve of both.
 */
export function checkShares(
  before: RegistryState,
  after: RegistryState,
  isUrgent: boolean,
): Result<null, RegistryFailure> {
  const [old, next] = [measure(before), measure(after)];
  const maxProject = limits.maxProjectChars + (isUrgent ? limits.reservedProjectChars : 0);
  for (const [id, size] of next.projects) {
    if (size > maxProject && size > (old.projects.get(id) ?? 0))
      return fail({ reason: "too-many", limit: "maxProjectChars", max: maxProject });
  }
  const maxPool = limits.maxSharedChars + (isUrgent ? limits.reservedSharedChars : 0);
  const pooled = sumExcess(next);
  return pooled > maxPool && pooled > sumExcess(old)
    ? fail({ reason: "too-many", limit: "maxSharedChars", max: maxPool })
    : ok(null);
}

function measure(registry: RegistryState): Sizes {
  const projects = new Map<string, number>();
  const add = (project: string, entry: object) =>
    projects.set(project, (projects.get(project) ?? 0) + sizeOf(entry));
  for (const project of registry.projects) add(project.id, project);
  for (const list of [registry.keys, registry.tokens, registry.invitations, registry.memberships]) {
    for (const entry of list) add(entry.project, entry);
  }
  return { projects, people: new Map(registry.people.map((one) => [one.id, sizeOf(one)])) };
}

/** A change replaces the entries that it changes, so the sizes of all others stay known. */
const sizes = new WeakMap<object, number>();

function sizeOf(entry: object): number {
  const size = sizes.get(entry) ?? JSON.stringify(entry).length;
  sizes.set(entry, size);
  return size;
}

/** The characters above the guaranteed shares. */
function sumExcess({ projects, people }: Sizes): number {
  const sum = (owners: ReadonlyMap<string, number>, share: number) =>
    [...owners.values()].reduce((total, size) => total + Math.max(0, size - share), 0);
  return sum(projects, limits.guaranteedProjectChars) + sum(people, limits.guaranteedPersonChars);
}
