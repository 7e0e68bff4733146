/** A new upload token, with the lines that tools need. */
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import {
  createCurlUpload,
  createUploadVariables,
  type UploadAddress,
} from "../setup/upload-snippets.ts";
import { CopyLine, OneTimeSecret } from "./one-time-secret.tsx";

/** The token, and its use by sentry-cli, by the plugins of bundlers and by curl. */
export function NewUploadToken({
  token,
  address,
}: {
  readonly token: string;
  readonly address: UploadAddress;
}) {
  const { base } = useDesk();
  return (
    <OneTimeSecret
      name="New upload token"
      hint="Copy it now. It will not be shown again."
      text={token}
      copyLabel="the token"
    >
      <p>
        Environment variables for sentry-cli and bundler plugins (
        <DeskLink href="/connect#source-maps">configuration of each tool</DeskLink>):
      </p>
      <CopyLine
        text={createUploadVariables(address, token)}
        copyLabel="the environment variables"
      />
      <p>Upload a map with curl:</p>
      <CopyLine text={createCurlUpload(address, base, token)} copyLabel="the command for curl" />
    </OneTimeSecret>
  );
}
