// What goes on while nothing is being written: work, a question that waits, or a wait for the model.
import type { ModelRetry } from "../src/protocol";
import { Line } from "./text";

/** `retry` is the wait before a request is sent again, which counts more; it is read out once, not each second. */
export function Working({ text, retry, isWaiting }: { readonly text: string; readonly retry: ModelRetry | null; readonly isWaiting: boolean }) {
  if (isWaiting) return <p className="working">Waiting for your answer, below.</p>;
  return (
    <p className="working" role="status" title={retry?.detail}>
      <vscode-progress-ring aria-hidden="true" />
      <span aria-hidden={retry !== null}>
        <Line text={retry?.text ?? text} />
      </span>
      {retry && (
        <span className="unseen">
          <Line text={`${retry.reason}. Attempt ${String(retry.attempt)} of ${String(retry.of)} follows.`} />
        </span>
      )}
    </p>
  );
}
