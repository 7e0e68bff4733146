/** The empty state of the uploads: how to upload the maps of a build. */
import { getBasePathProject } from "../../core/accounts/project-path.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink, RequireRole, useDesk } from "../parts/desk-context.tsx";

/** The explanation with the commands. */
export function NoUploadsYet() {
  const project = getBasePathProject(useDesk().base);
  const commands = `sentry-cli sourcemaps inject dist
sentry-cli sourcemaps upload --project ${project} --release 1.4.0 dist`;
  return (
    <div className="empty-state">
      <p className="empty-heading">No source maps yet.</p>
      <p>
        Upload the maps of a build with sentry-cli, a bundler plugin or curl. Inject debug ids
        before you deploy, so that every stack finds its map.
      </p>
      <div className="snippet">
        <pre>{commands}</pre>
        <CopyButton text={commands} label="the commands" />
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
