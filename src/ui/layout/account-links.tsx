/** The menus of the header: the project with its siblings, the settings, and the account. */
import { hasRole } from "../../core/accounts/actors.ts";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import { type DeskInfo, DeskLink, DeskProvider, NO_DESK, useDesk } from "../parts/desk-context.tsx";
import { ChevronIcon, SlidersIcon } from "../parts/icons.tsx";
import type { DeskPage } from "./desk-page.ts";
import { ThemeForm } from "./theme-form.tsx";

/**
 * The current project as a menu of all of the person's projects. Each project is loaded as a new
 * document with a separate live socket.
 */
export function ProjectMenu({ current: page }: { current: DeskPage | undefined }) {
  const { unreadAlerts: _, hasFailingAlerts: _failing, ...desk } = useDesk();
  return (
    <CachedParts
      tag="div"
      attributes={{ className: "header-menu project-switch" }}
      part={ProjectMenuContent}
      items={[{ desk, page }]}
    />
  );
}

interface ProjectMenuProps {
  readonly desk: DeskInfo;
  readonly page: DeskPage | undefined;
}

function ProjectMenuContent({ desk, page }: ProjectMenuProps) {
  const { projects } = desk;
  const current = projects.find(({ isCurrent }) => isCurrent);
  return (
    <DeskProvider desk={desk}>
      <button type="button" className="menu-button borderless" popoverTarget="projects">
        <span className="visually-hidden">Project: </span>
        <bdi>{current?.name ?? "Projects"}</bdi>
        <ChevronIcon />
      </button>
      <div id="projects" className="menu" popover="auto">
        <ul>
          {projects.map(({ id, name, url, isCurrent }) => (
            <li key={id}>
              <a href={url} target="_self" aria-current={isCurrent ? "true" : undefined}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
        <ul>
          {current !== undefined && (
            <li>
              <DeskLink href="/connect" aria-current={page === "connect" ? "page" : undefined}>
                Connect
              </DeskLink>
            </li>
          )}
          <li>
            <DeskLink href="/projects#project-name">New project</DeskLink>
          </li>
          <li>
            <DeskLink href="/projects" aria-current={page === "projects" ? "page" : undefined}>
              All projects
            </DeskLink>
          </li>
        </ul>
      </div>
    </DeskProvider>
  );
}

const SETTINGS_PAGES: readonly (DeskPage | undefined)[] = [
  "settings",
  "status",
  "source-maps",
  "connect",
];

/** The entry to the settings of the project: for owners the settings, for others the status. */
export function SettingsLink({ current }: { current: DeskPage | undefined }) {
  const { role } = useDesk();
  const isOwner = hasRole(role, "owner");
  return (
    <DeskLink
      className="settings-link"
      href={isOwner ? "/settings" : "/status"}
      aria-current={SETTINGS_PAGES.includes(current) ? "true" : undefined}
    >
      <SlidersIcon />
      <span>{isOwner ? "Settings" : "Status"}</span>
    </DeskLink>
  );
}

/** The menu under the person's name: profile, theme, keyboard, documentation, sign-out. */
export function AccountMenu() {
  const { base, name } = useDesk();
  return (
    <div className="header-menu account-menu">
      <button type="button" className="menu-button borderless" popoverTarget="account">
        <span className="visually-hidden">Account: </span>
        <bdi>{name ?? "Local"}</bdi>
        <ChevronIcon />
      </button>
      <div id="account" className="menu" popover="auto">
        <CachedParts tag="ul" part={AccountItems} items={[{ base }]} />
        <ThemeForm />
        {name !== undefined && (
          <form method="post" action="/sign-out" target="_self">
            <button type="submit">Sign out</button>
          </form>
        )}
      </div>
    </div>
  );
}

function AccountItems({ base }: Pick<DeskInfo, "base">) {
  return (
    <DeskProvider desk={{ ...NO_DESK, base }}>
      <li>
        <DeskLink href="/profile">Profile</DeskLink>
      </li>
      <li className="open-shortcuts">
        <button type="button" popoverTarget="shortcuts">
          Keyboard shortcuts
        </button>
      </li>
      <li>
        <button type="button" data-zone-switch="" hidden />
      </li>
      <li>
        <a href="/docs">Documentation</a>
      </li>
    </DeskProvider>
  );
}
