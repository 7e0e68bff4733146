import { StartClient } from "@tanstack/react-start/client";
import { onRecoverableError } from "errata/browser";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <StartClient />
    </StrictMode>,
    { onRecoverableError },
  );
});
