/** A server key that was just created: the settings and the Connect page show it once. */
import { CopyLine } from "../parts/copy-line.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { toDsn, toServerUrl } from "./integration.ts";

/** The key in the forms that senders take: as a DSN, as a URL and alone. */
export function NewServerKey({
  origin,
  project,
  serverKey,
}: {
  /** `https://errata.example`. */
  readonly origin: string;
  /** The id of the project. */
  readonly project: string;
  readonly serverKey: string;
}) {
  return (
    <OneTimeSecret
      name="New server key"
      hint="Copy the DSN now. It will not be shown again. Store it as a secret on your server. Pages must not contain it."
      text={toDsn({ origin, project, key: serverKey })}
      copyLabel="the DSN of the new server key"
    >
      <p>ERRATA_URL, for hooks such as onRequestError:</p>
      <CopyLine text={toServerUrl(origin, serverKey)} copyLabel="the URL with the key" />
      <p>Only the key, for OpenTelemetry:</p>
      <CopyLine text={serverKey} copyLabel="the key" />
    </OneTimeSecret>
  );
}
