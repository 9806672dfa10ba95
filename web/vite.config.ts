import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';
import { PAGES } from '../services/contracts/pages.ts';

/**
 * The address of the shop's server. `npm run dev` proxies every request to this server, except requests that Vite
 * serves itself.
 */
const SHOP_ORIGIN = process.env.SHOP_ORIGIN ?? 'http://127.0.0.1:8080';

/**
 * The first segments of the paths that Vite serves itself: the client's pages, public files and sources, and Vite's
 * internal paths.
 */
const CLIENT_PATHS = [
  ...PAGES.map(({ path }) => path.split('/')[1]),
  ...readdirSync(new URL('public', import.meta.url)),
  ...['index.html', 'src', 'node_modules', '(@|__)[^/]*'],
];

/**
 * Puts modules that are loaded together into one file, because each file costs a request and is compressed separately.
 * Every page loads `react`, `data` and `base`. These are three files rather than one, because the browser runs each
 * file as one task, and a single file would be one long task. `goods` contains the components that show products,
 * `orders` the parts that every page with orders shares, and `parts` small modules that several pages share.
 */
const GROUPS = [
  { name: 'react', test: /node_modules\/(react(-dom|-router|-router-dom)?|scheduler|use-sync-external-store)\// },
  { name: 'data', test: /node_modules\/(zod|immer|redux|react-redux|reselect|@reduxjs)\// },
  {
    name: 'base',
    test: new RegExp(
      [
        'node_modules/clsx/',
        '@mantine/core/esm/(core|components/(UnstyledButton|Button|ActionIcon|Loader|Transition))/',
        'web/src/(api/(problem|shop-api|client-config)|live/(follow|views|view-map|list-order|fetch-rows|use-live|use-steady-ids|use-hands))\\.',
        'web/src/shop/(products|reviews)/[\\w.-]+\\.ts$',
        'contracts/(answers|views|prerendered-page|carriers|reasons|problem-details|search-text)\\.',
      ].join('|'),
    ),
  },
  {
    name: 'goods',
    test: /web\/src\/(shop\/(products|reviews)\/(?!product-(details|pictures)\.).*\.(tsx|css)$|ui\/format\.)|@mantine\/core\/esm\/components\/(Card|Paper|SimpleGrid|Badge)\//,
  },
  { name: 'orders', test: /web\/src\/shop\/orders\/(money-words|order-picture)\.|contracts\/timeline\./ },
  {
    name: 'parts',
    test: /contracts\/(money|packing)\.|web\/src\/ui\/(save-file|row-parts)\.|@mantine\/hooks\/esm\/use-(uncontrolled|merged-ref|debounced-callback)\//,
  },
];

/**
 * Compresses each script and style sheet with Brotli at the highest quality, and writes the result next to the
 * original. Compressing on each request would be fast enough only at a lower quality, at which Brotli's output is
 * larger than gzip's.
 */
const brotli: Plugin = {
  name: 'brotli',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.keys(bundle).filter((file) => /^static\/.*\.(js|css)$/.test(file));
    const compressed = async (file: string) =>
      writeFile(join(dir, `${file}.br`), await promisify(brotliCompress)(await readFile(join(dir, file))));
    await Promise.all(files.map(compressed));
  },
};

/** react-router's `exports` point only to its development build. The production build is in a sibling directory. */
const production = (entry: string) =>
  fileURLToPath(import.meta.resolve(entry))
    .replace('/development/', '/production/')
    .replace(/\.js$/, '.mjs');

const PRODUCTION = {
  resolve: {
    alias: ['react-router', 'react-router/dom'].map((entry) => ({
      find: new RegExp(`^${entry}$`),
      replacement: production(entry),
    })),
  },
} satisfies UserConfig;

const CSS = {
  transformer: 'lightningcss',
  lightningcss: {
    drafts: { customMedia: true },
    // The browsers of `build.target`, in Lightning CSS's format: major << 16 | minor << 8.
    targets: { chrome: 123 << 16, edge: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) },
  },
} satisfies UserConfig['css'];

/** Also builds the script that prerenders pages on the server (services/pages/prerendered-pages.ts). */
const prerenderedPages: Plugin = {
  name: 'prerendered-pages',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    await build({
      ...PRODUCTION,
      configFile: false,
      root: fileURLToPath(new URL('.', import.meta.url)),
      logLevel: 'warn',
      publicDir: false,
      plugins: [react()],
      css: CSS,
      ssr: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        ssr: 'src/app/hand-over/prerendered-page.tsx',
        outDir: join(dir, '.ready'),
        target: 'node20',
        minify: true,
        // Disable the warning about dynamic imports that create no chunk. On the server, such imports do no harm,
        // because no user waits for a chunk to load.
        rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
      },
    });
  },
};

export default defineConfig(({ command }) => ({
  ...(command === 'serve' ? {} : PRODUCTION),
  plugins: [react(), brotli, prerenderedPages],
  server: {
    // A build in progress writes to this directory, which replaces dist/ once the build is done.
    watch: { ignored: ['**/.building-*/**'] },
    proxy: {
      // Requests for all other paths go to the shop: its API, its socket and its demo providers.
      [`^/(?!(${CLIENT_PATHS.join('|')})(/|\\?|$))`]: { target: SHOP_ORIGIN, changeOrigin: false, ws: true },
    },
  },
  css: CSS,
  build: {
    // The manifest lists the imports of each script. `npm run check:size` reads the manifest.
    manifest: true,
    // The first browser versions that support light-dark(). For older versions, the build would rewrite light-dark()
    // and break the theme.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
        entryFileNames: 'static/js/[name].[hash].js',
        chunkFileNames: 'static/js/[name].[hash].chunk.js',
        assetFileNames: 'static/assets/[name].[hash][extname]',
      },
    },
  },
}));
