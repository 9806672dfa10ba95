import { useState } from 'react';
import { problemText } from './problem.ts';

/** Runs what a `ConfirmDialog` asks about, then closes the dialog. Where `act` rejects, the dialog stays open and says why. */
export function useConfirm(act: () => Promise<unknown>, onClose: () => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const onConfirm = async () => {
    setBusy(true);
    setProblem(null);
    await act().then(close, (error) => setProblem(problemText(error)));
    setBusy(false);
  };
  return { busy, problem, onConfirm, onClose: close };
}
