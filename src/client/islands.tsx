/** The component behind each island's name. Its props are those that the server wrote, plain strings. */
import type { ComponentType } from "react";
import { BrowserStage } from "../ui/setup/self-test-stage.tsx";

/** By name, as in `data-island`. */
export const islands: Readonly<Record<string, ComponentType<{ kind: string }>>> = {
  "self-test": function SelfTestInBrowser({ kind }) {
    return <BrowserStage kind={kind} where="browser" />;
  },
};
