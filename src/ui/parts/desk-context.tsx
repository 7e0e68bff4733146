/**
 * The project and the person of a page. Links and forms use paths as if there were one project, and
 * forms that the person's role does not permit are not rendered.
 */
import { type ComponentProps, createContext, type ReactNode, use } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import type { Role } from "../../core/accounts/registry.ts";

/** The project and the person of a page. */
export interface DeskInfo {
  /** `/p/2`; empty in the first project and outside of any project. */
  readonly base: string;
  /** The person's role in this project; null outside of any project. */
  readonly role: Role | null;
  /** The person's name; undefined when not signed in and under `ERRATA_LOCAL`. */
  readonly name?: string | undefined;
  /** True for a person who signed in with a code and has neither passkey nor recovery codes. */
  readonly needsPasskey?: boolean;
  /** The projects that the person is a member of. */
  readonly projects: readonly ProjectLink[];
  /** Unread messages of the person's inbox, as far as is known. */
  readonly unreadAlerts?: number;
  /** True if a destination of alerts does not receive its messages, as far as is known. */
  readonly hasFailingAlerts?: boolean;
  /** The names of the members of this project, to whom issues can be assigned. */
  readonly members?: readonly string[];
  /** The name by which issues are assigned to this person; undefined if they cannot be. */
  readonly ownAssignee?: string | undefined;
}

/** A project in the header's menu. */
interface ProjectLink {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly isCurrent: boolean;
}

/** Outside of any project, not signed in. */
export const NO_DESK: DeskInfo = { base: "", role: null, projects: [] };

const DeskContext = createContext<DeskInfo>(NO_DESK);

/** Provides `desk` to its children. */
export function DeskProvider({ desk, children }: { desk: DeskInfo; children: ReactNode }) {
  return <DeskContext value={desk}>{children}</DeskContext>;
}

/** The project and the person of the current page. */
export function useDesk(): DeskInfo {
  return use(DeskContext);
}

/** Renders children only for people with at least this role. */
export function RequireRole({
  requiredRole,
  children,
}: {
  requiredRole: Role;
  children: ReactNode;
}) {
  return hasRole(useDesk().role, requiredRole) ? children : null;
}

/**
 * Renders children only where the self-test is available: for members of the first project, to
 * which Errata reports its own failures.
 */
export function RequireSelfTest({ children }: { children: ReactNode }) {
  const { base, role } = useDesk();
  return base === "" && hasRole(role, "member") ? children : null;
}

/** A link. A path that begins with a slash is relative to the project. */
export function DeskLink(props: ComponentProps<"a">) {
  return <a {...props} href={resolvePath(useDesk(), props.href)} />;
}

/** A form. It is rendered only for people with at least `requiredRole`. */
export function DeskForm({ requiredRole, ...props }: DeskFormProps) {
  const desk = useDesk();
  if (requiredRole !== undefined && !hasRole(desk.role, requiredRole)) return null;
  return <form {...props} action={resolvePath(desk, props.action)} />;
}

/** The attributes of a form and the role that it requires. */
interface DeskFormProps extends Omit<ComponentProps<"form">, "action"> {
  readonly action?: string | undefined;
  readonly requiredRole?: Role;
}

/** The path within the project, for attributes that only scripts read. */
export function resolvePath({ base }: DeskInfo, path: string | undefined): string | undefined {
  return path === undefined ? undefined : toProjectPath(base, path);
}
