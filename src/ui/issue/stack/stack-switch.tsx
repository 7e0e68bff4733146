/** Links between the original stack and the stack as it was sent, and the field for a map. */
import {
  hasResolvedFrames,
  type Symbolication,
} from "../../../core/symbolication/report/original-stack.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { toReportSearch } from "../../urls/issue-urls.ts";

/** A sentence while the maps are not available. */
export function StackNote({ symbolication }: { readonly symbolication: Symbolication | null }) {
  if (symbolication?.state !== "unavailable") return null;
  return (
    <p className="stack-note" role="status">
      Source maps are temporarily unavailable. This is the stack as it was sent.
    </p>
  );
}

/** The links; nothing if both stacks are the same. */
export function StackSwitch({
  symbolication,
  id,
}: {
  readonly symbolication: Symbolication | null;
  /** The id of the report. */
  readonly id: string;
}) {
  if (symbolication === null || symbolication.state === "unavailable") return null;
  const isRaw = symbolication.state === "as-sent";
  if (!isRaw && !hasResolvedFrames(symbolication.stacks)) return null;
  return (
    <nav className="stack-switch" aria-label="Stack trace">
      <ul>
        <StackLink name="Original" isCurrent={!isRaw} href={`${toReportSearch(id)}#report`} />
        <StackLink name="As sent" isCurrent={isRaw} href={`${toReportSearch(id)}&raw=1#report`} />
      </ul>
    </nav>
  );
}

function StackLink({ name, isCurrent, href }: { name: string; isCurrent: boolean; href: string }) {
  return (
    <li>
      <DeskLink href={href} aria-current={isCurrent ? "true" : undefined}>
        {name}
      </DeskLink>
    </li>
  );
}

/** The field for the map of a minified stack. Hidden by the style sheet if scripts do not run. */
export function MapFileField() {
  return (
    <label className="map-file">
      <span>
        Drop a <code>.map</code> file onto the stack, or choose one. It stays in your browser.
      </span>{" "}
      <input type="file" accept=".map,.json,.js,.mjs,.cjs" multiple />
    </label>
  );
}
