/** The result of maps that a person dropped onto a stack. Rendered in the browser only. */
import { useState } from "react";

/** A map, and how to upload it for the whole team. */
export interface LocalMapFile {
  readonly name: string;
  /** Why it cannot be read. */
  readonly problem?: string;
  /** Resolves to a sentence about the result. */
  readonly upload: () => Promise<string>;
}

/** The sentences, with a button that uploads each map. */
export function LocalMapNote({
  problem,
  files,
}: {
  problem: string | undefined;
  files: readonly LocalMapFile[];
}) {
  return (
    <div className="local-maps" role="status">
      {problem !== undefined && <p>{problem}</p>}
      {files.length === 0 && problem === undefined && <p>Drop a file that ends in .map.</p>}
      {files.map((file) => (
        <LocalMapLine key={file.name} file={file} isUsed={problem === undefined} />
      ))}
    </div>
  );
}

function LocalMapLine({ file, isUsed }: { file: LocalMapFile; isUsed: boolean }) {
  const [result, setResult] = useState("");
  const [isBusy, setBusy] = useState(false);
  if (file.problem !== undefined) {
    return (
      <p>
        <bdi>{file.name}</bdi> cannot be read: {file.problem}
      </p>
    );
  }
  if (!isUsed) return null;
  const upload = () => {
    setBusy(true);
    void file
      .upload()
      .catch(() => "The upload failed.")
      .then((text) => {
        setResult(text);
        setBusy(false);
      });
  };
  return (
    <p>
      Resolved in this browser by <bdi>{file.name}</bdi>.{" "}
      {result === "" ? (
        <>
          Nothing was uploaded.{" "}
          <button type="button" disabled={isBusy} onClick={upload}>
            Upload for the team
          </button>
        </>
      ) : (
        result
      )}
    </p>
  );
}
