/** The pages that the header, its menus and the footer link to. */
export type DeskPage =
  | "home"
  | "lookup"
  | "issues"
  | "releases"
  | "csp"
  | "live"
  | "connect"
  | "self-test"
  | "settings"
  | "alerts"
  | "projects"
  | "profile";
