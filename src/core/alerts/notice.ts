/**
 * What members are told personally, as a part of an alert (`due-alert.ts`): names of members, no
 * reported text. Stored (version 1): fields may be added.
 */
import { toComparableName } from "../accounts/names.ts";
import type { ActivityEntry, Annotations } from "../issue/annotations.ts";

/** Why a member is told about an issue. */
export const NOTICE_KINDS = ["assigned", "mentioned", "commented", "regressed"] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  readonly kind: NoticeKind;
  /** The names of the members, none of them twice. */
  readonly to: readonly string[];
  /** Who did it; absent for reports, rules and local access. */
  readonly by?: string | undefined;
  /** The id of the comment. */
  readonly comment?: string | undefined;
  /** In which release the issue came back. */
  readonly release?: string | undefined;
}

/**
 * The notices of an entry of the activity, given the annotations with it. Nobody is told what he
 * did himself, and a mentioned member is told only that.
 */
export function listNotices(annotations: Annotations, entry: ActivityEntry): readonly Notice[] {
  const { by } = entry;
  switch (entry.action) {
    case "assigned":
      return tell({ kind: "assigned", to: [entry.to], by });
    case "commented": {
      const { id: comment, mentions = [] } = entry;
      const others = listParticipants(annotations).filter((one) => !isAmong(mentions, one));
      return [
        ...tell({ kind: "mentioned", to: mentions, by, comment }),
        ...tell({ kind: "commented", to: others, by, comment }),
      ];
    }
    case "regressed": {
      const { assignee, activity } = annotations;
      const resolver = activity.findLast(({ action }) => action === "resolved")?.by;
      const to = [assignee, resolver].filter((one) => one !== undefined);
      return tell({ kind: "regressed", to, release: entry.release });
    }
    default:
      return [];
  }
}

function tell(notice: Notice): readonly Notice[] {
  const { by } = notice;
  const to = unique(notice.to).filter((one) => by === undefined || !isSame(one, by));
  return to.length === 0 ? [] : [{ ...notice, to }];
}

/** Who takes part in an issue: its assignee, and who commented or was mentioned. */
function listParticipants({ assignee, activity }: Annotations): readonly string[] {
  const inComments = activity.flatMap((entry) =>
    entry.action === "commented" ? [entry.by, ...(entry.mentions ?? [])] : [],
  );
  return [assignee, ...inComments].filter((one) => one !== undefined);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [toComparableName(name), name])).values()];
}

function isAmong(names: readonly string[], name: string): boolean {
  return names.some((one) => isSame(one, name));
}

function isSame(one: string, other: string): boolean {
  return toComparableName(one) === toComparableName(other);
}
