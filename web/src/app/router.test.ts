import { PAGES } from '@micro-center/services/contracts/pages.ts';
import type { RouteObject } from 'react-router-dom';
import { expect, it } from 'vitest';
import { routes } from './router.tsx';

/** The paths of all routes that show a page, except the catch-all. */
function pathsOf(nodes: readonly RouteObject[], above = ''): string[] {
  return nodes.flatMap(({ path, index, children }) => {
    if (path === '*') return [];
    const here = path === undefined ? above : `${above}/${path}`;
    return children ? pathsOf(children, here) : [index ? here || '/' : here];
  });
}

it("R17 the server's list of pages contains exactly the client's routes", () => {
  expect(pathsOf(routes).sort()).toEqual(PAGES.map(({ path }) => path).sort());
});
