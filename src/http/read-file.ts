/** Reads the files of the build, which Cloudflare serves itself. */
import { REACT_TEXTS_PATH, type ReactTexts } from "../core/error-codes/react-error.ts";
import type { Services } from "./context.ts";

/** Reads from the binding of the files. */
export function createFileReader(
  files: Pick<Fetcher, "fetch"> | undefined,
  logProblem: (cause: unknown) => void,
): Services["readFile"] {
  return async (path) => {
    try {
      const response = await files?.fetch(`https://files${path}`);
      if (response?.ok === true) return response;
      throw new Error(`${path}: ${response?.status}`);
    } catch (cause) {
      logProblem(cause);
      return null;
    }
  };
}

/**
 * A function that reads the texts of React's error codes when a message needs them, once in an
 * isolate. Null if there is no such file; it is tried again the next time. Never rejects.
 */
export function createReactTextReader(readFile: Services["readFile"]): Services["readReactTexts"] {
  // The promise of one request must not be awaited by another one.
  let known: ReactTexts | null = null;
  return async () => {
    known ??= (await (await readFile(REACT_TEXTS_PATH))?.json<ReactTexts>()) ?? null;
    return known;
  };
}
