/** The programs that a person has connected, on the profile. */
import { use } from "react";
import { getClientHost } from "../../core/accounts/grant-changes.ts";
import type { Role } from "../../core/accounts/registry.ts";
import type { Trust } from "../../core/trust/trust.ts";
import { Boundary } from "../failure/boundary.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { ChangeForm } from "../settings/change-form.tsx";
import { formatRole } from "../settings/role-select.tsx";
import { SettingsEntry } from "../settings/settings-entry.tsx";
import { SettingsSection } from "../settings/settings-section.tsx";
import { describeReadText } from "../settings/trust-select.tsx";

export interface ProgramsProps {
  readonly programs: readonly ConnectedProgram[];
  /** When each program was last used, by its id. */
  readonly lastUsed: Promise<Readonly<Record<string, number>>>;
  readonly nowMs: number;
}

interface ConnectedProgram {
  readonly id: string;
  readonly client: string;
  readonly name: string;
  readonly role: Role;
  /** The name of its project; absent for all projects of the person. */
  readonly project?: string | undefined;
  readonly isForMcp: boolean;
  readonly lowestTrust: Trust;
  readonly createdMs: number;
  readonly expiresMs: number;
}

export function Programs({ programs, lastUsed, nowMs }: ProgramsProps) {
  return (
    <SettingsSection
      id="programs"
      name="Connected programs"
      description="Programs that work in your name, with at most your role. Disconnect those that you do not use."
    >
      {programs.length === 0 ? (
        <p className="muted">
          No programs yet. See{" "}
          <a href="/docs/access-and-roles#connected-programs">how to connect one</a>.
        </p>
      ) : (
        <Boundary name="programs" loading={<Skeleton shape="text" label="programs" />}>
          <ProgramList programs={programs} lastUsed={lastUsed} nowMs={nowMs} />
        </Boundary>
      )}
    </SettingsSection>
  );
}

function ProgramList({ programs, lastUsed: uses, nowMs }: ProgramsProps) {
  const lastUsed = use(uses);
  return (
    <ul className="entries">
      {programs.map((program) => {
        const { id, client, name, role, createdMs, expiresMs } = program;
        const usedMs = lastUsed[id];
        return (
          <SettingsEntry
            key={id}
            name={<bdi>{name}</bdi>}
            facts={[
              getClientHost(client),
              formatRole(role),
              describeReach(program),
              usedMs === undefined ? (
                "never used"
              ) : (
                <>
                  last used <RelativeTime atMs={usedMs} nowMs={nowMs} />
                </>
              ),
              <>
                connected <RelativeTime atMs={createdMs} nowMs={nowMs} />
              </>,
              <>
                expires <UntilTime atMs={expiresMs} nowMs={nowMs} />
              </>,
            ]}
          >
            <ChangeForm change="disconnect-program" section="programs" className="entry-actions">
              <input type="hidden" name="grant" value={id} />
              <button type="submit" className="danger" aria-label={`Disconnect ${name}`}>
                Disconnect
              </button>
            </ChangeForm>
          </SettingsEntry>
        );
      })}
    </ul>
  );
}

/** `MCP of Web shop, reads text sent with a server key` */
function describeReach({ project, isForMcp, lowestTrust }: ConnectedProgram): string {
  const where = project === undefined ? "all your projects" : project;
  return `${isForMcp ? `MCP of ${where}` : where}, ${describeReadText(lowestTrust)}`;
}
