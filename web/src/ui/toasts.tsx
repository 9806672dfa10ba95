import hotToast, { Toaster } from 'react-hot-toast';

/**
 * Shows a toast of one of the five types: `toast(...)`, `toast.error`, `.success`, `.loading`, `.custom`. The durations
 * and the maximum number of toasts are react-hot-toast's defaults, as the specification requires (T1).
 */
export const toast = hotToast;

const style = {
  background: 'var(--mantine-color-body)',
  color: 'var(--mantine-color-text)',
  border: 'var(--border)',
  borderRadius: 'var(--mantine-radius-default)',
  boxShadow: 'var(--mantine-shadow-md)',
  fontSize: 'var(--mantine-font-size-sm)',
};

/** Shows the toasts at the bottom right, away from forms and dialogs. */
export function Toasts() {
  return <Toaster position="bottom-right" toastOptions={{ style }} />;
}
