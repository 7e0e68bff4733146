/** The component of each island. Its props are strings written by the server. */
import type { ComponentType } from "react";
import { BrowserStage } from "../ui/setup/self-test-stage.tsx";

/** The components by the name in `data-island`. */
export const islands: Readonly<Record<string, ComponentType<{ kind: string }>>> = {
  "self-test": function SelfTestInBrowser({ kind }) {
    return <BrowserStage kind={kind} where="browser" />;
  },
};
