/**
 * Where on the desk a page stands, and for whom: links and forms name places as if there were one project, and nobody is shown a form
 * that he may not send.
 */
import { type ComponentProps, createContext, type ReactNode, use } from "react";
import { inProject } from "../core/project-path.ts";
import type { Role } from "../core/registry/registry.ts";
import { reaches } from "../core/registry/rights.ts";

/** What every component may ask. */
export interface PlaceFacts {
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
export const NOWHERE: PlaceFacts = { base: "", role: null, projects: [] };

const Place = createContext<PlaceFacts>(NOWHERE);

/** Says where `children` stand. */
export function AtPlace({ place, children }: { place: PlaceFacts; children: ReactNode }) {
  return <Place value={place}>{children}</Place>;
}

/** Where a component stands. */
export function usePlace(): PlaceFacts {
  return use(Place);
}

/** What only those see who are at least this in the project. */
export function For({ needs, children }: { needs: Role; children: ReactNode }) {
  return reaches(usePlace().role, needs) ? children : null;
}

/** What leads to the self-test: it is for members, and of the first project alone, where Errata's own failures are reported. */
export function WithSelfTest({ children }: { children: ReactNode }) {
  const { base, role } = usePlace();
  return base === "" && reaches(role, "member") ? children : null;
}

/** A link; one that begins with a slash leads to a place in the project. */
export function A(props: ComponentProps<"a">) {
  return <a {...props} href={inPlace(usePlace(), props.href)} />;
}

/** A form of the desk; it is not there for whoever is less than it needs. */
export function Form({ needs, ...props }: FormProps) {
  const place = usePlace();
  if (needs !== undefined && !reaches(place.role, needs)) return null;
  return <form {...props} action={inPlace(place, props.action)} />;
}

/** The attributes of a form, and whom it is for. */
export interface FormProps extends Omit<ComponentProps<"form">, "action"> {
  readonly action?: string | undefined;
  readonly needs?: Role;
}

function inPlace({ base }: PlaceFacts, path: string | undefined): string | undefined {
  return path === undefined ? undefined : inProject(base, path);
}
