/** Reads the texts of React's error codes from the files of the build. */
import { REACT_TEXTS_PATH, type ReactTexts } from "../core/error-codes/react-error.ts";

/**
 * A function that reads the texts when a message needs them, once in an isolate. Null if there is no
 * such file; it is tried again the next time. Never rejects.
 */
export function createReactTextReader(
  files: Pick<Fetcher, "fetch"> | undefined,
  logProblem: (cause: unknown) => void,
): () => Promise<ReactTexts | null> {
  // The promise of one request must not be awaited by another one.
  let known: ReactTexts | null = null;
  return async () => {
    try {
      known ??= await readTexts(files);
    } catch (cause) {
      logProblem(cause);
    }
    return known;
  };
}

async function readTexts(files: Pick<Fetcher, "fetch"> | undefined): Promise<ReactTexts> {
  const response = await files?.fetch(`https://files${REACT_TEXTS_PATH}`);
  if (response?.ok !== true) throw new Error(`${REACT_TEXTS_PATH}: ${response?.status}`);
  return response.json();
}
