/**
 * Shares of the registry, whose size is limited, so that no owner can use up the space of others.
 * Every project and every person has a guaranteed share; sizes above it count against one pool.
 * Every project also has a guaranteed number of members.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import type { RegistryFailure } from "./define-change.ts";
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

/**
 * Fails with `too-many` if a new person in this project would leave no room for the guaranteed
 * members of the others.
 */
export function checkRoomForPerson(
  { people, projects, memberships }: RegistryState,
  project: string,
): Result<null, RegistryFailure> {
  const members = new Map<string, number>();
  for (const one of memberships) members.set(one.project, (members.get(one.project) ?? 0) + 1);
  const reserved = projects
    .filter(({ id }) => id !== project)
    .map(({ id }) => Math.max(0, limits.guaranteedPeople - (members.get(id) ?? 0)))
    .reduce((sum, seats) => sum + seats, 0);
  return people.length + reserved < limits.maxPeople
    ? ok(null)
    : fail({ reason: "too-many", limit: "maxPeople", max: limits.maxPeople });
}

/** Fails with `too-many` if the remaining projects are reserved for the deployer. */
export function checkRoomForProject(
  { projects }: RegistryState,
  isDeployer: boolean,
): Result<null, RegistryFailure> {
  const max = limits.maxProjects - (isDeployer ? 0 : limits.reservedProjects);
  return projects.length < max ? ok(null) : fail({ reason: "too-many", limit: "maxProjects", max });
}

function measure(registry: RegistryState): Sizes {
  const projects = new Map<string, number>();
  const add = (project: string, entry: object) =>
    projects.set(project, (projects.get(project) ?? 0) + measureSize(entry));
  for (const project of registry.projects) add(project.id, project);
  for (const list of [registry.keys, registry.tokens, registry.invitations, registry.memberships]) {
    for (const entry of list) add(entry.project, entry);
  }
  const people = new Map(registry.people.map((one) => [one.id, measureSize(one)]));
  for (const grant of registry.grants ?? [])
    people.set(grant.person, (people.get(grant.person) ?? 0) + measureSize(grant));
  return { projects, people };
}

/** A change replaces the entries that it changes, so the cached sizes of others stay valid. */
const sizes = new WeakMap<object, number>();

function measureSize(entry: object): number {
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
