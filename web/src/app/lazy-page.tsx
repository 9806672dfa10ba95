import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { loadChunk } from '../ui/load-chunk.ts';
import { RouteError } from './route-error.tsx';

type Page = { default: ComponentType };

/**
 * A page whose script is loaded when somebody goes there; `chunk` names it where that fails. The failure is thrown while
 * rendering: one of `lazy` itself is not shown at all beside a hydrate fallback (react-router 7.18 leaves the page blank).
 */
export function lazyPage(chunk: string, load: () => Promise<Page>): Pick<RouteObject, 'lazy' | 'errorElement'> {
  return {
    lazy: async () => {
      try {
        return { Component: (await loadChunk(chunk, load)).default };
      } catch (error) {
        return { Component: throwing(error) };
      }
    },
    errorElement: <RouteError />,
  };
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}
