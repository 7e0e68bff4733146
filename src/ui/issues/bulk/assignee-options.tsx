/**
 * The members to whom issues can be assigned, as submit buttons of the form around them. The client
 * script filters them by the text field; without scripts the style sheet hides the field.
 */
import { Avatar } from "../../parts/avatar.tsx";
import { useDesk } from "../../parts/desk-context.tsx";

/** More members than this can be filtered. */
const MAX_UNFILTERED = 6;

/** The buttons; "Assign to me" first. `assignee` is the current one. */
export function AssigneeOptions({ assignee }: { assignee?: string | undefined }) {
  const { members = [], ownAssignee } = useDesk();
  const others = members.filter((member) => member !== ownAssignee);
  return (
    <>
      {members.length > MAX_UNFILTERED && (
        <input
          type="text"
          className="menu-filter"
          data-filter=""
          aria-label="Filter members"
          placeholder="Filter members"
          autoComplete="off"
          dir="auto"
        />
      )}
      {ownAssignee !== undefined && (
        <AssigneeButton name={ownAssignee} isCurrent={ownAssignee === assignee}>
          Assign to me
        </AssigneeButton>
      )}
      {others.map((member) => (
        <AssigneeButton key={member} name={member} isCurrent={member === assignee}>
          {member}
        </AssigneeButton>
      ))}
      {members.length === 0 && ownAssignee === undefined && (
        <p className="muted">This project has no members yet.</p>
      )}
      <button type="submit" name="unassign" value="1" className="menu-last">
        Unassign
      </button>
    </>
  );
}

function AssigneeButton({
  name,
  isCurrent,
  children,
}: {
  name: string;
  isCurrent: boolean;
  children: string;
}) {
  return (
    <button type="submit" name="assign" value={name} aria-current={isCurrent ? "true" : undefined}>
      <Avatar name={name} isDecorative />
      <bdi>{children}</bdi>
    </button>
  );
}
