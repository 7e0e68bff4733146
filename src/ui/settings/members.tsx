/** The members of a project and its invitations. */
import type { Invitation, Role } from "../../core/accounts/registry.ts";
import { toSignInLink } from "../../core/scrubbing/own-secrets.ts";
import { type IssuedSecrets, OneTimeSecret } from "../parts/one-time-secret.tsx";
import { UntilTime } from "../parts/time.tsx";
import { ChangeForm } from "./change-form.tsx";
import { formatRole, RoleSelect } from "./role-select.tsx";
import { CreatedFact, SettingsEntry } from "./settings-entry.tsx";
import { SettingsSection } from "./settings-section.tsx";

export interface MembersProps {
  readonly members: readonly ProjectMember[];
  readonly invitations: readonly Omit<Invitation, "hash">[];
  /** The id of the signed-in person. */
  readonly personId?: string | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly issuedSecrets?: IssuedSecrets | undefined;
  readonly nowMs: number;
}

/** A person in the project. */
interface ProjectMember {
  readonly person: string;
  readonly name: string;
  readonly role: Role;
  /** The name in Cloudflare Access, if the person signs in through it. */
  readonly accessName?: string;
}

export function Members({
  members,
  invitations,
  personId,
  origin,
  issuedSecrets,
  nowMs,
}: MembersProps) {
  const owners = members.filter(({ role }) => role === "owner");
  const code = issuedSecrets?.change === "invite" ? issuedSecrets.secrets[0] : undefined;
  return (
    <SettingsSection
      id="members"
      name="Members"
      description="Viewers read. Members also triage, comment and merge. Owners also change settings, export and erase."
    >
      {members.length === 0 && <p className="muted">No members yet.</p>}
      <ul className="entries">
        {members.map((member) => (
          <MemberEntry
            key={member.person}
            member={member}
            isSelf={member.person === personId}
            isLastOwner={owners.length === 1 && owners[0] === member}
          />
        ))}
      </ul>
      {code !== undefined && (
        <OneTimeSecret
          name="Invitation link"
          hint="Send this link to one person. It works once and expires in seven days. It will not be shown again."
          text={toSignInLink(origin, code)}
          copyLabel="the invitation link"
        />
      )}
      <InvitationList invitations={invitations} nowMs={nowMs} />
      <ChangeForm change="invite" section="members" className="form-row-inline">
        <RoleSelect selected="member" label="Invite as" />
        <button type="submit" id="invite">
          Create invitation link
        </button>
      </ChangeForm>
    </SettingsSection>
  );
}

function MemberEntry({
  member: { person, name, role, accessName },
  isSelf,
  isLastOwner,
}: {
  member: ProjectMember;
  isSelf: boolean;
  isLastOwner: boolean;
}) {
  const isNamedElsewhere = accessName !== undefined && accessName !== name;
  return (
    <SettingsEntry
      name={<bdi>{name}</bdi>}
      badge={isSelf && <span className="badge">you</span>}
      facts={[
        formatRole(role),
        accessName !== undefined && "through Cloudflare Access",
        isNamedElsewhere && <bdi>{accessName}</bdi>,
        isLastOwner && "only owner: add another owner first",
      ]}
    >
      {!isLastOwner && (
        <div className="entry-actions">
          <ChangeForm change="set-role" section="members">
            <input type="hidden" name="person" value={person} />
            <RoleSelect selected={role} label={`Role of ${name}`} isBrief />
            <button type="submit" aria-label={`Set the role of ${name}`}>
              Set
            </button>
          </ChangeForm>
          <ChangeForm change="remove-member" section="members">
            <input type="hidden" name="person" value={person} />
            <button
              type="submit"
              className="danger"
              aria-label={isSelf ? "Leave this project" : `Remove ${name}`}
            >
              {isSelf ? "Leave" : "Remove"}
            </button>
          </ChangeForm>
        </div>
      )}
    </SettingsEntry>
  );
}

function InvitationList({
  invitations,
  nowMs,
}: {
  invitations: MembersProps["invitations"];
  nowMs: number;
}) {
  const activeInvitations = invitations.filter(({ expiresMs }) => expiresMs > nowMs);
  if (activeInvitations.length === 0) return null;
  return (
    <ul className="entries" aria-label="Invitations">
      {activeInvitations.map(({ id, role, by, createdMs, expiresMs }) => (
        <SettingsEntry
          key={id}
          name={`Invitation as ${role}`}
          facts={[
            <CreatedFact key="created" atMs={createdMs} by={by} nowMs={nowMs} />,
            <>
              expires <UntilTime atMs={expiresMs} nowMs={nowMs} />
            </>,
          ]}
        >
          <ChangeForm change="withdraw-invitation" section="members" className="entry-actions">
            <input type="hidden" name="invitation" value={id} />
            <button type="submit">Withdraw</button>
          </ChangeForm>
        </SettingsEntry>
      ))}
    </ul>
  );
}
