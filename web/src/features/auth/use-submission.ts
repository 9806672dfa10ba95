import { useState } from 'react';

/** One form's work at a time: whether it is under way, and what it failed with. */
export function useSubmission() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  /** Runs `work`; returns whether it succeeded. */
  async function submit(work: () => Promise<void>): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, error, submit };
}
