/**
 * The errors of a report, each with its stack. A chain of causes is a row of tabs, the root first:
 * radio buttons, so that it works without scripts. What is beside the chain is listed below its
 * error: suppressed errors, and the members of a group, which are indented and can be closed.
 */
import { use } from "react";
import { findShownError, listBesideChain, listChain } from "../../../core/errors/error-chain.ts";
import { type ErrorNode, isGroup } from "../../../core/errors/error-tree.ts";
import { formatBranch, formatLink } from "../../../core/errors/error-words.ts";
import type { Report } from "../../../core/report.ts";
import type { StackResolutions } from "../../../core/symbolication/report/original-stack.ts";
import { getNamedBuild } from "../../../core/symbolication/report/resolve-request.ts";
import type { NamedBuild } from "../../../core/symbolication/report/upload-command.ts";
import { ChevronIcon } from "../../parts/icons.tsx";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { StackFrames } from "./original-frames.tsx";
import { StackOptionsContext } from "./stack-options.ts";

const MESSAGE_CHARS = 400;
const TYPE_CHARS = 120;
/** Longer messages do not fit in a tab. */
const TAB_CHARS = 60;

interface StackProps {
  /** A stack for the error and for each cause, or empty. */
  readonly resolutions: StackResolutions;
  readonly build: NamedBuild;
}

/** The tabs, if one error caused another, and the stack of each error. */
export function ErrorChain({
  report,
  resolutions,
}: {
  report: Report;
  resolutions: StackResolutions;
}) {
  const chain = listChain(report);
  const shown = findShownError(chain);
  const stacks = { resolutions, build: getNamedBuild(report) };
  const options = use(StackOptionsContext);
  return (
    <>
      {chain.length > 1 && <ErrorTabs chain={chain} shown={shown} />}
      <div className="errors">
        {chain.map((node) => (
          <div className="error" key={node.index} data-error={node.index}>
            {chain.length > 1 && <ErrorMessage node={node} />}
            <StackOptionsContext
              value={node.index === 0 ? options : { ...options, throwingText: "threw" }}
            >
              <ErrorStack node={node} stacks={stacks} />
              <Beside node={node} stacks={stacks} />
            </StackOptionsContext>
          </div>
        ))}
      </div>
    </>
  );
}

function ErrorTabs({
  chain,
  shown,
}: {
  chain: readonly ErrorNode[];
  shown: ErrorNode | undefined;
}) {
  return (
    <fieldset className="error-tabs" aria-label="Cause chain, the root first">
      {chain.map((node, n) => {
        const below = chain[n - 1];
        return (
          <label key={node.index}>
            {below !== undefined && (
              <span className="error-link">
                <ChevronIcon /> {formatLink(below)}
              </span>
            )}
            <input type="radio" name="error" defaultChecked={node === shown} autoComplete="off" />
            <span className="error-tab">
              <bdi className="type">{abbreviate(node.error.type, TYPE_CHARS)}</bdi>{" "}
              <span dir="auto">{abbreviate(node.error.message, TAB_CHARS)}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** The message that did not fit in the tab. */
function ErrorMessage({ node: { error } }: { node: ErrorNode }) {
  if (error.message.length <= TAB_CHARS && error.typeModule === undefined) return null;
  return (
    <div className="error-message">
      <ErrorTitle error={error} />
      <FullText text={error.message} maxChars={MESSAGE_CHARS} />
    </div>
  );
}

/** The errors beside the chain: members, or suppressed errors with their own causes. */
function Beside({ node, stacks }: { node: ErrorNode; stacks: StackProps }) {
  const beside = listBesideChain(node);
  if (beside.length === 0) return null;
  return (
    <section className="causes">
      <h3>{formatBranch({ ...node, children: beside })}</h3>
      <Branch node={{ ...node, children: beside }} stacks={stacks} />
    </section>
  );
}

function Branch({ node, stacks }: { node: ErrorNode; stacks: StackProps }) {
  const { isAllOpen } = use(StackOptionsContext);
  if (!isGroup(node)) {
    return node.children.map((child) => (
      <div className="cause" key={child.index} data-error={child.index}>
        <h4>
          <ErrorTitle error={child.error} />
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
                <ErrorTitle error={child.error} />
              </h4>
            </summary>
            <ErrorDetails node={child} stacks={stacks} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function ErrorTitle({ error }: Pick<ErrorNode, "error">) {
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

function ErrorStack({ node, stacks }: { node: ErrorNode; stacks: StackProps }) {
  const { frames } = node.error;
  if (frames.length === 0)
    return node.index === 0 ? null : <p className="muted">No stack trace was sent for it.</p>;
  return (
    <StackFrames
      frames={frames}
      resolutions={stacks.resolutions[node.index] ?? []}
      build={stacks.build}
    />
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
