import { useRouteError } from 'react-router-dom';
import { usePageTitle } from '../ui/page-title.ts';
import { ErrorState } from '../ui/states.tsx';
import { ChunkLoadError } from './load-chunk.ts';

/**
 * Stands in for a page that failed. Retry loads the document anew: after a new version of the shop was put up, the
 * old page's scripts are gone for good (I6).
 */
export function RouteError() {
  const error = useRouteError();
  const retry = () => window.location.reload();
  usePageTitle('Error');
  if (error instanceof ChunkLoadError) {
    return (
      <ErrorState
        title="This page could not be loaded"
        text={`${error.message} Check your connection and try again.`}
        onRetry={retry}
      />
    );
  }
  return (
    <ErrorState
      title="Something went wrong on this page"
      text="Nothing you ordered or saved is lost. Load the page again to go on."
      onRetry={retry}
    />
  );
}
