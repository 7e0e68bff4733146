/**
 * The debug ids of the scripts in a stack. Bundlers keep them on the global object, as the stack of
 * each script's first statement and the script's id: Turbopack as `_debugIds`, sentry-cli and the
 * plugins of Sentry as `_sentryDebugIds`.
 */

type DebugIds = Record<string, string>;

interface BundledWindow extends Window {
  readonly _sentryDebugIds?: DebugIds;
  readonly _debugIds?: DebugIds;
}

/** The entries whose script occurs in the stack. Throws if a getter does. */
export function selectDebugIds(stack = ""): DebugIds {
  const page: BundledWindow = window;
  const ids = { ...page._sentryDebugIds, ...page._debugIds };
  for (const from in ids) {
    // The first frame names the script, with its line and column.
    const script = /\w+:\/\/.+?(?=:\d+:)/.exec(from);
    if (!stack.includes(`${script}`)) delete ids[from];
  }
  return ids;
}
