/** Explains why a frame is minified and how to resolve it. */
import type { FrameAdvice } from "../../../core/symbolication/report/explain-frame.ts";
import { CopyButton } from "../../parts/copy-button.tsx";

/** The sentences, and the command with a copy button. */
export function FrameAdviceText({ advice }: { advice: FrameAdvice }) {
  const { problem, action, command } = advice;
  return (
    <div className="frame-advice">
      <p>
        <bdi>{problem}</bdi> {action}
      </p>
      {command !== undefined && (
        <p className="frame-command">
          <code>{command}</code> <CopyButton text={command} label="the command" />
        </p>
      )}
    </div>
  );
}
