/** The frame of every settings page: the navigation between them, and the page's heading. */
import { createContext, type ReactNode, use } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import type { Role } from "../../core/accounts/registry.ts";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";

/** A link of the navigation, for people with at least `role`. */
export interface SettingsLink {
  readonly href: string;
  readonly word: string;
  readonly role: Role;
}

/** The links of the navigation. The settings pages are declared above this layer. */
export const SettingsLinks = createContext<readonly SettingsLink[]>([]);

/** A settings page at the path `current`, or one below it. `note` is shown below the heading. */
export function SettingsFrame({
  current,
  title,
  note,
  children,
}: {
  current: string;
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  const { role } = useDesk();
  const links = use(SettingsLinks).filter((link) => hasRole(role, link.role));
  return (
    <div className="settings-frame">
      <nav className="settings-nav" aria-label="Settings">
        <ul>
          {links.map(({ href, word }) => (
            <li key={href}>
              <DeskLink href={href} aria-current={href === current ? "page" : undefined}>
                {word}
              </DeskLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-content settings-page">
        <header className="page-header">
          <h1>{title}</h1>
          {note !== undefined && <p>{note}</p>}
        </header>
        {children}
      </div>
    </div>
  );
}
