import { ErrorState, LoadingState } from '../ui/states.tsx';
import { problemText } from './problem.ts';

interface NotLoadedProps {
  /** a noun for the content, with its article, e.g. 'the order' */
  what: string;
  /** why the content could not be loaded, or null while it is loading */
  error: unknown;
  onRetry: () => void;
  headingOrder?: 1 | 2;
}

/** Shown in place of content that isn't loaded: a spinner, or the reason why loading failed. */
export function NotLoaded({ what, error, onRetry, headingOrder = 2 }: NotLoadedProps) {
  if (error === null) return <LoadingState label={`Loading ${what}`} />;
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`;
  return <ErrorState headingOrder={headingOrder} title={title} text={problemText(error)} onRetry={onRetry} />;
}
