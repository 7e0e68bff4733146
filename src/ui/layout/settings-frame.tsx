/** The frame of every settings page: the navigation between them, and the page's heading. */
import type { ReactNode } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import type { Role } from "../../core/accounts/registry.ts";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { ALERT_SETTINGS_URL } from "../urls/alert-urls.ts";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";

type SettingsPageName =
  | "project"
  | "keys"
  | "members"
  | "tokens"
  | "alerts"
  | "connect"
  | "source-maps"
  | "data"
  | "status"
  | "audit";

type SettingsEntry = readonly [page: SettingsPageName, href: string, word: string, role: Role];

/** Every page with its required role. */
const SETTINGS_ENTRIES: readonly SettingsEntry[] = [
  ["project", "/settings", "Project", "owner"],
  ["keys", "/settings#keys", "Keys", "owner"],
  ["members", "/settings#members", "Members", "owner"],
  ["tokens", "/settings#tokens", "Tokens", "owner"],
  ["alerts", ALERT_SETTINGS_URL, "Alerts", "viewer"],
  ["connect", "/connect", "Connect", "viewer"],
  ["source-maps", SOURCE_MAPS_URL, "Source maps", "viewer"],
  ["data", "/settings/data", "Data", "owner"],
  ["status", "/status", "Status", "viewer"],
  ["audit", "/settings/audit", "Audit log", "owner"],
];

/** A settings page. `note` is shown below the heading. */
export function SettingsFrame({
  current,
  title,
  note,
  children,
}: {
  current: SettingsPageName;
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  const { role } = useDesk();
  return (
    <div className="settings-frame">
      <nav className="settings-nav" aria-label="Settings">
        <ul>
          {SETTINGS_ENTRIES.filter(([, , , required]) => hasRole(role, required)).map(
            ([page, href, word]) => (
              <li key={page}>
                <DeskLink href={href} aria-current={page === current ? "page" : undefined}>
                  {word}
                </DeskLink>
              </li>
            ),
          )}
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
