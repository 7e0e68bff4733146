/**
 * The errors below the error of a report, each with its stack. A chain of causes is a list without
 * indentation, because a phone has no room for it; members of a group are indented and can be
 * closed.
 */
import { use } from "react";
import { buildErrorTree, type ErrorNode, isGroup } from "../../../core/errors/error-tree.ts";
import { formatBranch } from "../../../core/errors/error-words.ts";
import type { Report } from "../../../core/report.ts";
import type { StackResolutions } from "../../../core/symbolication/report/original-stack.ts";
import { getNamedBuild } from "../../../core/symbolication/report/resolve-request.ts";
import type { NamedBuild } from "../../../core/symbolication/report/upload-command.ts";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { StackFrames } from "./original-frames.tsx";
import { StackOptionsContext } from "./stack-options.ts";

const MESSAGE_CHARS = 400;
const TYPE_CHARS = 120;

interface StackProps {
  /** A stack for the error and for each cause, or empty. */
  readonly resolutions: StackResolutions;
  readonly build: NamedBuild;
}

/** The causes and members; nothing if there are none. */
export function Causes({ report, resolutions }: { report: Report; resolutions: StackResolutions }) {
  const root = buildErrorTree(report);
  if (root.children.length === 0) return null;
  return (
    <section className="causes">
      <h3>{formatBranch(root)}</h3>
      <Branch node={root} stacks={{ resolutions, build: getNamedBuild(report) }} />
    </section>
  );
}

function Branch({ node, stacks }: { node: ErrorNode; stacks: StackProps }) {
  const { isAllOpen } = use(StackOptionsContext);
  if (!isGroup(node)) {
    return node.children.map((child) => (
      <div className="cause" key={child.index} data-error={child.index}>
        <h4>
          <ErrorTitle node={child} />
        </h4>
        <ErrorDetails node={child} stacks={stacks} />
      </div>
    ));
  }
  return (
    <ol className="members">
      {node.children.map((child, n) => (
        <li key={child.index}>
          <details data-error={child.index} open={isAllOpen || n === 0}>
            <summary>
              <h4>
                <ErrorTitle node={child} />
              </h4>
            </summary>
            <ErrorDetails node={child} stacks={stacks} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function ErrorTitle({ node: { error } }: { node: ErrorNode }) {
  return (
    <>
      <ErrorType error={error} /> <span dir="auto">{abbreviate(error.message, MESSAGE_CHARS)}</span>
    </>
  );
}

/** `requests.exceptions.ConnectionError`, with the module muted. */
export function ErrorType({
  error: { type, typeModule },
}: {
  error: Pick<Report, "type" | "typeModule">;
}) {
  return (
    <bdi className="type">
      {typeModule !== undefined && (
        <span className="type-module">{abbreviate(typeModule, TYPE_CHARS)}.</span>
      )}
      {type}
    </bdi>
  );
}

function ErrorDetails({ node, stacks }: { node: ErrorNode; stacks: StackProps }) {
  const { error, index, children } = node;
  return (
    <>
      <FullText text={error.message} maxChars={MESSAGE_CHARS} />
      <StackFrames
        frames={error.frames}
        resolutions={stacks.resolutions[index] ?? []}
        build={stacks.build}
      />
      {children.length > 0 && (
        <>
          <p className="branch">{formatBranch(node)}</p>
          <Branch node={node} stacks={stacks} />
        </>
      )}
    </>
  );
}
