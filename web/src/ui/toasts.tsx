import hotToast, { Toaster } from 'react-hot-toast';

/** Shows a toast of one of the five types: `toast(...)`, `toast.error`, `.success`, `.loading`, `.custom`. */
export const toast = hotToast;

/** How long each type of toast stays, in milliseconds; a loading toast stays until its work is done. */
export const TOAST_DURATIONS = {
  blank: 4000,
  error: 4000,
  success: 2000,
  loading: Number.POSITIVE_INFINITY,
  custom: 4000,
} as const;

/** A dismissed toast fades out and is removed after this time, in milliseconds. */
export const TOAST_REMOVE_DELAY = 1000;

/** At most this many toasts are kept; the oldest leave first. It is also the limit built into react-hot-toast. */
export const TOAST_LIMIT = 20;

const toastOptions = {
  removeDelay: TOAST_REMOVE_DELAY,
  style: {
    background: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-default)',
    boxShadow: 'var(--mantine-shadow-md)',
    fontSize: 'var(--mantine-font-size-sm)',
  },
  blank: { duration: TOAST_DURATIONS.blank },
  error: { duration: TOAST_DURATIONS.error },
  success: { duration: TOAST_DURATIONS.success },
  loading: { duration: TOAST_DURATIONS.loading },
  custom: { duration: TOAST_DURATIONS.custom },
};

/** Shows the toasts at the bottom right, away from forms and dialogs. */
export function Toasts() {
  return <Toaster position="bottom-right" toastOptions={toastOptions} />;
}
