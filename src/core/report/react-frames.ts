/**
 * React's own frames in a bundle: there the application and React are one file, and only names tell them apart. They do
 * where names survive (Workers are bundled with names kept); a stack without them stays as it is.
 */
import type { Frame } from "../report.ts";

/** Functions of React 19 that nobody else calls so: where one is in a stack, React is. */
const REACT_ONLY_NAMES =
  /^(?:renderWithHooks|renderNodeDestructive|beginWork|performUnitOfWork|react_stack_bottom_frame)$/;

/** Functions of its server and browser renderers that may be called alike elsewhere. */
const REACT_NAMES =
  /^(?:renderElement|renderNode|retryNode|retryTask|renderChildrenArray|finishFunctionComponent|performWork|startWork|pingTask|updateFunctionComponent|updateClassComponent|finishClassComponent|mountIndeterminateComponent|workLoop\w*|renderRoot\w*|performWorkOnRoot\w*|performSyncWorkOnRoot|flush(?:Sync|Passive|Spawned|Pending)\w*|recoverFromConcurrentError|commit[A-Z]\w*|recursivelyTraverse\w*|reconnectPassiveEffects|processRootScheduleInMicrotask)$/;

/** The same frames; those of React are not the application's. */
export function markReactFrames(frames: readonly Frame[]): readonly Frame[] {
  if (!frames.some((frame) => REACT_ONLY_NAMES.test(frame.function ?? ""))) return frames;
  return frames.map((frame) =>
    isReactFunction(frame.function ?? "") ? { ...frame, inApp: false } : frame,
  );
}

function isReactFunction(name: string): boolean {
  return REACT_ONLY_NAMES.test(name) || REACT_NAMES.test(name);
}
