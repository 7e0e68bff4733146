/** All settings pages, in the order of the navigation. A new page is a module and its line here. */
import { type SettingsPage, toSettingsLinks } from "../pages/settings-page.tsx";
import { auditPage } from "./account/audit.tsx";
import { settingsPage } from "./account/settings.tsx";
import { alertSettingsPage } from "./alerts/alert-settings.tsx";
import { dataPage } from "./project-data/serve-data.tsx";
import { repositoriesPage } from "./repositories.tsx";
import { connectPage } from "./setup/connect.tsx";
import { sourceMapsPage } from "./source-maps/uploads-route.tsx";
import { statusPage } from "./status.tsx";
import { trackerSettingsPage } from "./trackers/tracker-settings.tsx";

export const SETTINGS_PAGES: readonly SettingsPage[] = [
  settingsPage,
  alertSettingsPage,
  trackerSettingsPage,
  connectPage,
  sourceMapsPage,
  repositoriesPage,
  dataPage,
  statusPage,
  auditPage,
];

/** The navigation of the settings, for all roles. */
export const SETTINGS_LINKS = toSettingsLinks(SETTINGS_PAGES);
