/** Who may enter a project, how far, and the links by which others come in. */
import type { Invitation, Role } from "../../core/registry/registry.ts";
import { Form } from "../place.tsx";
import { Time, Until } from "../time.tsx";
import { Entry } from "./entry.tsx";
import { Once, type Shown } from "./once.tsx";
import { RoleSelect, roleWord } from "./role-select.tsx";
import { SettingsSection } from "./section.tsx";

/** What the section is made of. */
export interface MembersProps {
  readonly members: readonly ProjectMember[];
  readonly invitations: readonly Omit<Invitation, "hash">[];
  /** The id of the person who looks at the page. */
  readonly me?: string | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly shown?: Shown | undefined;
  readonly nowMs: number;
}

/** A person in the project. */
export interface ProjectMember {
  readonly person: string;
  readonly name: string;
  readonly role: Role;
  /** Of a person who comes through Cloudflare Access: the name that it knows. */
  readonly access?: string;
}

/** Forms lead back to the section that they are in. */
const ACTION = "/settings#members";

/** The section. */
export function Members({ members, invitations, me, origin, shown, nowMs }: MembersProps) {
  const owners = members.filter(({ role }) => role === "owner");
  const code = shown?.asked === "invite" ? shown.secrets[0] : undefined;
  return (
    <SettingsSection
      id="members"
      name="Members"
      says="Viewers read. Members also decide, comment and merge. Owners also change these settings, export and erase."
    >
      {members.length === 0 && (
        <p className="aside">Nobody is in this project yet but who sits at this machine.</p>
      )}
      <ul className="entries">
        {members.map((member) => (
          <MemberEntry
            key={member.person}
            of={member}
            isMe={member.person === me}
            isLastOwner={owners.length === 1 && owners[0] === member}
          />
        ))}
      </ul>
      {code !== undefined && (
        <Once
          name="The invitation"
          says="Send this link to one person: it is good once, for seven days. It is shown only now."
          text={`${origin}/enter#${code}`}
          what="the link of the invitation"
        />
      )}
      <Invitations of={invitations} nowMs={nowMs} />
      <Form needs="owner" method="post" action={ACTION} className="asking-row">
        <input type="hidden" name="do" value="invite" />
        <RoleSelect chosen="member" label="Invite somebody as" />
        <button type="submit" id="invite">
          Make a link
        </button>
      </Form>
    </SettingsSection>
  );
}

function MemberEntry({
  of: { person, name, role, access },
  isMe,
  isLastOwner,
}: {
  of: ProjectMember;
  isMe: boolean;
  isLastOwner: boolean;
}) {
  const isNamedElsewhere = access !== undefined && access !== name;
  return (
    <Entry
      name={<bdi>{name}</bdi>}
      mark={isMe && <span className="mark">you</span>}
      facts={[
        roleWord(role),
        access !== undefined && "through Cloudflare Access",
        isNamedElsewhere && <bdi>{access}</bdi>,
        isLastOwner && "the only owner, and so stays one: make somebody else an owner first",
      ]}
    >
      {!isLastOwner && (
        <div className="entry-acts">
          <Form needs="owner" method="post" action={ACTION}>
            <input type="hidden" name="do" value="set-role" />
            <input type="hidden" name="person" value={person} />
            <RoleSelect chosen={role} label={`Role of ${name}`} isPlain />
            <button type="submit" aria-label={`Set the role of ${name}`}>
              Set
            </button>
          </Form>
          <Form needs="owner" method="post" action={ACTION}>
            <input type="hidden" name="do" value="remove-member" />
            <input type="hidden" name="person" value={person} />
            <button
              type="submit"
              className="danger"
              aria-label={isMe ? "Leave this project" : `Remove ${name}`}
            >
              {isMe ? "Leave" : "Remove"}
            </button>
          </Form>
        </div>
      )}
    </Entry>
  );
}

function Invitations({ of, nowMs }: { of: MembersProps["invitations"]; nowMs: number }) {
  const good = of.filter(({ endsMs }) => endsMs > nowMs);
  if (good.length === 0) return null;
  return (
    <ul className="entries" aria-label="Invitations">
      {good.map(({ id, role, by, createdMs, endsMs }) => (
        <Entry
          key={id}
          name={`Invitation as ${role}`}
          facts={[
            <>
              made <Time atMs={createdMs} nowMs={nowMs} />
              {by !== "" && (
                <>
                  {" "}
                  by <bdi>{by}</bdi>
                </>
              )}
            </>,
            <>
              good until <Until atMs={endsMs} nowMs={nowMs} />
            </>,
          ]}
        >
          <Form needs="owner" method="post" action={ACTION} className="entry-acts">
            <input type="hidden" name="do" value="withdraw-invitation" />
            <input type="hidden" name="invitation" value={id} />
            <button type="submit">Withdraw</button>
          </Form>
        </Entry>
      ))}
    </ul>
  );
}
