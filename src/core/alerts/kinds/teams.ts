/** Workflows of Microsoft Teams. */
import { toTeamsBody } from "../formats/teams-card.ts";
import { createUrlKind } from "./kind.ts";

export const teams = createUrlKind("teams", (url, message) => ({
  url,
  body: toTeamsBody(message),
}));
