/** The empty state of the uploads, with links to the commands and to a token. */
import { DeskLink, RequireRole } from "../parts/desk-context.tsx";

export function NoUploadsYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No source maps yet.</p>
      <p>
        Upload the maps of a build with sentry-cli, a bundler plugin or curl. Inject debug ids
        before you deploy.
      </p>
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
