import { READY_DATA, type ReadyData } from '../contracts/prerendered-page.ts';

/** Returns JSON for a `<script>` element. Each `<` is escaped, since `</script>` in the JSON would end the element. */
export const jsonInScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * The places in index.html that the server fills. Two comments with the place's name mark its beginning and its end.
 * The end of `assets` is behind the head, because Vite adds the client's scripts and stylesheets at the head's end.
 */
type Place = 'about' | 'config' | 'assets' | 'page';

/** Returns `html` unchanged if it lacks the place, e.g. because a proxy has removed comments. */
function fill(html: string, place: Place, content: string): string {
  const [before = '', rest = ''] = html.split(`<!-- ${place} -->`);
  const [, after] = rest.split(`<!-- /${place} -->`);
  return after === undefined ? html : `${before}${content}${after}`;
}

/**
 * Adds `head` and the client's configuration to the head of index.html. If `ownWords` is true, index.html's description
 * of the shop is removed, because `head` describes the page itself.
 */
export function withHead(html: string, config: string, head: string, ownWords: boolean): string {
  const configured = `${head}<script type="application/json" id="client-config">${config}</script>`;
  return fill(ownWords ? fill(html, 'about', '') : html, 'config', configured);
}

/** Paths of scripts and stylesheets in the build. */
export interface PageFiles {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Matches the preload links at the start of React's HTML. They preload the pictures that are visible when the page opens. */
const PRELOADS = /^(?:<link rel="preload"[^>]*>)+/;

/**
 * Puts a prerendered page into index.html. `made` is the HTML that React rendered. `base` are the files of every page,
 * with the entry script last, and `own` are the other files of this page.
 *
 * The scripts are in a template, so that none of them delays the first paint. before-scripts.js moves them into the
 * head after the first paint, or after one second if nothing has been painted. Each script runs in its own task, and
 * the entry script runs after the scripts that it imports.
 */
export function prerenderedHtml(
  index: string,
  made: string,
  data: ReadyData,
  { base, own }: { readonly base: PageFiles; readonly own: PageFiles },
): string {
  const [preloads = ''] = PRELOADS.exec(made) ?? [];
  const stylesheet = (file: string) => `<link rel="stylesheet" crossorigin href="/${file}">`;
  const scripts = [
    ...base.scripts.map((file) => `<script type="module" crossorigin src="/${file}"></script>`),
    ...own.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ];
  const assets = [...base.styles.map(stylesheet), preloads, ...own.styles.map(stylesheet)];
  const page = [
    `<div id="root">${made.slice(preloads.length)}</div>`,
    `<script type="application/json" id="${READY_DATA}">${jsonInScript(data)}</script>`,
    `<template id="scripts">${scripts.join('')}</template>`,
  ];
  return fill(fill(index, 'assets', `${assets.join('')}</head>`), 'page', page.join(''));
}
