import { onError, onRecoverableError, startErrata } from "errata/react-router/client";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

startErrata({ to: import.meta.env.VITE_ERRATA_URL });

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={onError} />
    </StrictMode>,
    { onRecoverableError },
  );
});
