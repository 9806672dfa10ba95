import { READY_DATA, type ReadyData } from '../contracts/prerendered-page.ts';

/** Returns JSON for a `<script>` element. Each `<` is escaped, since `</script>` in the JSON would end the element. */
export const jsonInScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const CONFIG_ELEMENT = '<script type="application/json" id="client-config">';
/** Matches the parts of index.html that describe the whole shop: its title, description and link preview. */
const SHOP_HEAD =
  /<title>[^<]*<\/title>|<meta (?:name="description"|property="og:(?:type|title|description|image:\w+)")[^>]*>/g;

/**
 * Adds `head` and the client's configuration to the head of index.html. If `ownWords` is true, index.html's description
 * of the shop is removed, because `head` describes the page itself.
 */
export function withHead(html: string, config: string, head: string, ownWords: boolean): string {
  const rest = ownWords ? html.replace(SHOP_HEAD, '') : html;
  return rest.replace(CONFIG_ELEMENT, () => `${head}${CONFIG_ELEMENT}${config}`);
}

/** Matches the preload links at the start of React's HTML. They preload the pictures that are visible when the page opens. */
const PRELOADS = /^(?:<link rel="preload"[^>]*>)+/;
/** Matches the client's entry script and its static imports, as Vite writes them into index.html. */
const SCRIPTS = /<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)\s*/g;

/**
 * Puts a prerendered page into index.html. `made` is the HTML that React rendered. The result has this outline:
 *
 *     <head> index.html's head without its scripts, then preload links and the page's stylesheets
 *     <body> <div id="root"> made </div> <script> data as JSON </script> <template> scripts </template>
 *
 * The scripts are in a template, so that none of them delays the first paint. before-scripts.js moves them into the
 * head after the first paint, or after one second if nothing has been painted. Each script runs in its own task, and
 * the entry script runs after the scripts that it imports.
 */
export function prerenderedHtml(
  index: string,
  made: string,
  data: ReadyData,
  files: { readonly scripts: readonly string[]; readonly styles: readonly string[] },
): string {
  const [preloads = ''] = PRELOADS.exec(made) ?? [];
  const stylesheets = files.styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  const [entry = '', ...imports] = index.match(SCRIPTS) ?? [];
  const pageScripts = files.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const scripts = [...imports.map(scriptOf), entry, ...pageScripts];
  const body = [
    `<div id="root">${made.slice(preloads.length)}</div>`,
    `<script type="application/json" id="${READY_DATA}">${jsonInScript(data)}</script>`,
    `<template id="scripts">${scripts.join('')}</template>`,
  ];
  return index
    .replace(SCRIPTS, '')
    .replace('</head>', () => `${preloads}${stylesheets.join('')}</head>`)
    .replace('<div id="root"></div>', () => body.join(''));
}

/** Turns `<link rel="modulepreload" href="/a.js">` into `<script type="module" src="/a.js"></script>`. */
function scriptOf(preload: string): string {
  return preload.replace(
    /^<link rel="modulepreload"(.*?) href="(.*?)">\s*$/,
    '<script type="module"$1 src="$2"></script>',
  );
}
