/** Who may enter a project, how far, and the links by which others come in. */
import type { Invitation, Role } from "../../core/accounts/registry.ts";
import { DeskForm } from "../parts/desk-context.tsx";
import { RelativeTime, UntilTime } from "../parts/time.tsx";
import { SettingsEntry } from "./entry.tsx";
import { type IssuedSecrets, OneTimeSecret } from "./one-time-secret.tsx";
import { formatRole, RoleSelect } from "./role-select.tsx";
import { SettingsSection } from "./section.tsx";

/** What the section is made of. */
export interface MembersProps {
  readonly members: readonly ProjectMember[];
  readonly invitations: readonly Omit<Invitation, "hash">[];
  /** The id of the person who looks at the page. */
  readonly personId?: string | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly issuedSecrets?: IssuedSecrets | undefined;
  readonly nowMs: number;
}

/** A person in the project. */
export interface ProjectMember {
  readonly person: string;
  readonly name: string;
  readonly role: Role;
  /** Of a person who comes through Cloudflare Access: the name that it knows. */
  readonly accessName?: string;
}

/** Forms lead back to the section that they are in. */
const ACTION = "/settings#members";

/** The section. */
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
      description="Viewers read. Members also decide, comment and merge. Owners also change these settings, export and erase."
    >
      {members.length === 0 && (
        <p className="muted">Nobody is in this project yet but who sits at this machine.</p>
      )}
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
          name="The invitation"
          hint="Send this link to one person: it is good once, for seven days. It is shown only now."
          text={`${origin}/sign-in#${code}`}
          copyLabel="the link of the invitation"
        />
      )}
      <InvitationList invitations={invitations} nowMs={nowMs} />
      <DeskForm requiredRole="owner" method="post" action={ACTION} className="form-row-inline">
        <input type="hidden" name="do" value="invite" />
        <RoleSelect selected="member" label="Invite somebody as" />
        <button type="submit" id="invite">
          Make a link
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
        isLastOwner && "the only owner, and so stays one: make somebody else an owner first",
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
            <>
              made <RelativeTime atMs={createdMs} nowMs={nowMs} />
              {by !== "" && (
                <>
                  {" "}
                  by <bdi>{by}</bdi>
                </>
              )}
            </>,
            <>
              good until <UntilTime atMs={expiresMs} nowMs={nowMs} />
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
