/** The members of a project and its invitations. */
import type { Invitation, Role } from "../../core/accounts/registry.ts";
import { toSignInLink } from "../../core/scrubbing/own-secrets.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { UntilTime } from "../parts/time.tsx";
import { type IssuedSecrets, OneTimeSecret } from "./one-time-secret.tsx";
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

/** Forms return to their section. */
const ACTION = "/settings#members";

export function Members({
  members,
  invitations,
  personId,
  origin,
  issuedSecrets,
  nowMs,
}: MembersProps) {
  const owners = members.filter(({ role }) => role === "owner");
  const code = issuedSecrets?.action === "invite" ? issuedSecrets.secrets[0] : undefined;
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
      <DeskForm requiredRole="owner" method="post" action={ACTION} className="form-row-inline">
        <input type="hidden" name="do" value="invite" />
        <RoleSelect selected="member" label="Invite as" />
        <button type="submit" id="invite">
          Create invitation link
        </button>
      </DeskForm>
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
          <DeskForm requiredRole="owner" method="post" action={ACTION}>
            <input type="hidden" name="do" value="set-role" />
            <input type="hidden" name="person" value={person} />
            <RoleSelect selected={role} label={`Role of ${name}`} isBrief />
            <button type="submit" aria-label={`Set the role of ${name}`}>
              Set
            </button>
          </DeskForm>
          <DeskForm requiredRole="owner" method="post" action={ACTION}>
            <input type="hidden" name="do" value="remove-member" />
            <input type="hidden" name="person" value={person} />
            <button
              type="submit"
              className="danger"
              aria-label={isSelf ? "Leave this project" : `Remove ${name}`}
            >
              {isSelf ? "Leave" : "Remove"}
            </button>
          </DeskForm>
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
          <DeskForm requiredRole="owner" method="post" action={ACTION} className="entry-actions">
            <input type="hidden" name="do" value="withdraw-invitation" />
            <input type="hidden" name="invitation" value={id} />
            <button type="submit">Withdraw</button>
          </DeskForm>
        </SettingsEntry>
      ))}
    </ul>
  );
}
