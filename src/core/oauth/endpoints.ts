/** What the command `errata` and the server both name. Without imports: the command is small. */

/** The paths of the endpoints. `/device` is typed by people. */
export const OAUTH_PATHS = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  deviceAuthorization: "/oauth/device",
  device: "/device",
} as const;

export const DEVICE_GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/** The `client_id` of the command `errata`, which only uses the device flow. */
export const CLI_CLIENT_ID = "errata-cli";
