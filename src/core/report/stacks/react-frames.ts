/**
 * Recognizes React's frames in a bundle, where React and the application share one file. This works
 * if the bundle keeps function names, as Workers do; otherwise the stack stays unchanged.
 */
import type { Frame } from "../../report.ts";

/** Functions that only React 19 has. A stack that contains one contains React. */
const REACT_ONLY_NAMES =
  /^(?:renderWithHooks|renderNodeDestructive|beginWork|performUnitOfWork|react_stack_bottom_frame)$/;

/** Functions of React's server and browser renderers whose names other code may also use. */
const REACT_NAMES =
  /^(?:renderElement|renderNode|retryNode|retryTask|renderChildrenArray|finishFunctionComponent|performWork|startWork|pingTask|updateFunctionComponent|updateClassComponent|finishClassComponent|mountIndeterminateComponent|workLoop\w*|renderRoot\w*|performWorkOnRoot\w*|performSyncWorkOnRoot|flush(?:Sync|Passive|Spawned|Pending)\w*|recoverFromConcurrentError|commit[A-Z]\w*|recursivelyTraverse\w*|reconnectPassiveEffects|processRootScheduleInMicrotask)$/;

/** The frames, with React's frames marked as not `inApp`. */
export function markReactFrames(frames: readonly Frame[]): readonly Frame[] {
  if (!frames.some((frame) => REACT_ONLY_NAMES.test(frame.function ?? ""))) return frames;
  return frames.map((frame) => {
    const name = frame.function ?? "";
    const isReact = REACT_ONLY_NAMES.test(name) || REACT_NAMES.test(name);
    return isReact ? { ...frame, inApp: false } : frame;
  });
}
