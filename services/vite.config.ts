import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Every file that is started as built, by the name of its built file: those of main/, and what the shop starts beside itself. */
const mains = readdirSync(fileOf('./main/')).filter((name) => /^[\w-]+\.ts$/.test(name) && name !== 'dev.ts');
const input = {
  ...Object.fromEntries(mains.map((name) => [name.replace('.ts', ''), fileOf(`./main/${name}`)])),
  'emulator-child': fileOf('./demo/emulator-child.ts'),
  'stripe-child': fileOf('./demo/stripe-child.ts'),
  'checkpoint-thread': fileOf('./embedded/sqlite/checkpoint-thread.ts'),
  'flush-thread': fileOf('./embedded/sqlite/flush-thread.ts'),
  'writer-thread': fileOf('./embedded/sqlite/writer-thread.ts'),
};

const PACKAGES = 'packages';
const isPackages = (name: string) => name.startsWith(PACKAGES);

/** Node reads the map of every file that it loads: those of packages cost more than they tell. */
function withoutMapsOfPackages(): Plugin {
  return {
    name: 'without-maps-of-packages',
    generateBundle(_options, bundle) {
      for (const [name, output] of Object.entries(bundle)) {
        if (!isPackages(name)) continue;
        if (output.type === 'asset') delete bundle[name];
        else output.code = output.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
      }
    },
  };
}

/** Loaded from where they are: a binary, Google's client, the drivers of servers, and what only development needs. */
const external = ['better-sqlite3', 'firebase-admin', 'firebase-tools', 'ioredis', 'kafkajs', 'mongodb'];

/** JavaScript that Node runs as it is, with the packages that it needs: finding their many files took half of a start. */
export default defineConfig({
  ssr: { noExternal: true, external },
  plugins: [withoutMapsOfPackages()],
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input,
      output: {
        // Flat: from services/dist/ the repository's root is as far as from services/process/.
        entryFileNames: '[name].js',
        chunkFileNames: ({ name }) => (isPackages(name) ? `${PACKAGES}-[hash].js` : '[name]-[hash].js'),
        sourcemapExcludeSources: true,
        codeSplitting: { groups: [{ name: PACKAGES, test: /node_modules/, entriesAware: true }] },
      },
    },
  },
});
