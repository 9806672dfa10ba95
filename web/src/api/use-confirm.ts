import { useState } from 'react';
import { problemText } from './problem.ts';

/**
 * Runs the action of a `ConfirmDialog`, then closes the dialog. If `act` rejects, the dialog stays open and shows why, in
 * the words that `say` returns.
 */
export function useConfirm(act: () => Promise<unknown>, onClose: () => void, say = problemText) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const onConfirm = async () => {
    setBusy(true);
    setProblem(null);
    await act().then(close, (error) => setProblem(say(error)));
    setBusy(false);
  };
  return { busy, problem, onConfirm, onClose: close };
}
