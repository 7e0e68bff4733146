/** The empty state of the uploads: how to upload the maps of a build. */
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink, RequireRole } from "../parts/desk-context.tsx";

const COMMANDS = `sentry-cli sourcemaps inject dist
sentry-cli sourcemaps upload --release 1.4.0 dist`;

/** The explanation with the commands. */
export function NoUploadsYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No source maps yet.</p>
      <p>
        Upload the maps of a build with sentry-cli, a bundler plugin or curl. Inject debug ids
        before you deploy, so that every stack finds its map.
      </p>
      <div className="snippet">
        <pre>{COMMANDS}</pre>
        <CopyButton text={COMMANDS} label="the commands" />
      </div>
      <p className="empty-actions">
        <DeskLink className="button" href="/connect#source-maps">
          Set up uploads
        </DeskLink>
        <RequireRole requiredRole="owner">
          <DeskLink href="/settings#tokens">Create an upload token</DeskLink>
        </RequireRole>
      </p>
    </div>
  );
}
