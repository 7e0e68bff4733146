import { WindowSize } from "./window-size.tsx";

export const dynamic = "force-dynamic";

export default function ServerAlone() {
  return <WindowSize />;
}
