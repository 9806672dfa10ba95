import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { loadChunk } from '../ui/load-chunk.ts';
import { RouteError } from './route-error.tsx';

type Page = { default: ComponentType };

/**
 * Returns the properties of a route whose page is in a chunk that is loaded on navigation. `chunk` is the chunk's name
 * in the error message. If the chunk can't be loaded, `lazy` returns a component that throws the error when it is
 * rendered. If `lazy` itself threw the error, react-router 7.18 would leave the page blank when there is a hydrate
 * fallback.
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
