import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useRouteError } from 'react-router-dom';
import { ChunkLoadError } from '../ui/load-chunk.ts';
import { usePageTitle } from '../ui/page-heading.tsx';
import { ErrorState } from '../ui/states.tsx';
import { reloadIfReachable, reloadIfReplaced } from './fresh-document.ts';

/** Shown in place of a page that failed. Explains the error, and offers a retry and a link to the home page. */
export function RouteError() {
  const error = useRouteError();
  const lost = error instanceof ChunkLoadError;
  const [trying, setTrying] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  usePageTitle('Error');
  // A script that a newer version has replaced is no longer available, so only reloading the document helps (I6).
  useEffect(() => {
    if (lost) void reloadIfReplaced();
  }, [lost]);

  async function tryAgain() {
    setTrying(true);
    setUnreachable(!(await reloadIfReachable()));
    setTrying(false);
  }

  const words = lost
    ? { title: 'This page could not be loaded', text: `${error.message} Check your connection and try again.` }
    : {
        title: 'Something went wrong on this page',
        text: 'Nothing you ordered or saved is lost. Reload the page to continue.',
      };
  const text = unreachable
    ? 'The shop cannot be reached at the moment. Check your connection and try again.'
    : words.text;
  return (
    <ErrorState
      title={words.title}
      text={text}
      headingOrder={1}
      action={
        <Group gap="sm" justify="center">
          <Button onClick={() => void tryAgain()} loading={trying}>
            Try again
          </Button>
          <Button component={Link} to="/" variant="default">
            Go to the home page
          </Button>
        </Group>
      }
    />
  );
}
