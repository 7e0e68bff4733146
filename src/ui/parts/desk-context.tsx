/**
 * Where on the desk a page stands, and for whom: links and forms name places as if there were one project, and nobody is shown a form
 * that he may not send.
 */
import { type ComponentProps, createContext, type ReactNode, use } from "react";
import { hasRole } from "../../core/accounts/permissions.ts";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import type { Role } from "../../core/accounts/registry.ts";

/** What every component may ask. */
export interface DeskInfo {
  /** `/p/2`; nothing in the first project, and outside of any. */
  readonly base: string;
  /** What the visitor is in this project; null outside of any. */
  readonly role: Role | null;
  /** What the visitor is called; undefined for strangers, and for whoever is local. */
  readonly name?: string | undefined;
  /** The projects that the visitor may enter. */
  readonly projects: readonly ProjectLink[];
}

/** A project, as the header names it. */
export interface ProjectLink {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly isCurrent: boolean;
}

/** Outside of any project, for nobody. */
export const NO_DESK: DeskInfo = { base: "", role: null, projects: [] };

const DeskContext = createContext<DeskInfo>(NO_DESK);

/** Says where `children` stand. */
export function DeskProvider({ desk, children }: { desk: DeskInfo; children: ReactNode }) {
  return <DeskContext value={desk}>{children}</DeskContext>;
}

/** Where a component stands. */
export function useDesk(): DeskInfo {
  return use(DeskContext);
}

/** What only those see who are at least this in the project. */
export function RequireRole({
  requiredRole,
  children,
}: {
  requiredRole: Role;
  children: ReactNode;
}) {
  return hasRole(useDesk().role, requiredRole) ? children : null;
}

/** What leads to the self-test: it is for members, and of the first project alone, where Errata's own failures are reported. */
export function RequireSelfTest({ children }: { children: ReactNode }) {
  const { base, role } = useDesk();
  return base === "" && hasRole(role, "member") ? children : null;
}

/** A link; one that begins with a slash leads to a place in the project. */
export function DeskLink(props: ComponentProps<"a">) {
  return <a {...props} href={resolvePath(useDesk(), props.href)} />;
}

/** A form of the desk; it is not there for whoever is less than it needs. */
export function DeskForm({ requiredRole, ...props }: DeskFormProps) {
  const place = useDesk();
  if (requiredRole !== undefined && !hasRole(place.role, requiredRole)) return null;
  return <form {...props} action={resolvePath(place, props.action)} />;
}

/** The attributes of a form, and whom it is for. */
export interface DeskFormProps extends Omit<ComponentProps<"form">, "action"> {
  readonly action?: string | undefined;
  readonly requiredRole?: Role;
}

function resolvePath({ base }: DeskInfo, path: string | undefined): string | undefined {
  return path === undefined ? undefined : toProjectPath(base, path);
}
