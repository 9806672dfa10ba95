import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const mains = readdirSync(fileOf('./main/')).filter((name) => /^[\w-]+\.ts$/.test(name));
/** Maps the names of built files to entry points: the programs in main/, and the processes and threads that the shop starts. */
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

/**
 * Removes the source maps of packages. Node reads the source map of every file that it loads, and the source maps of
 * packages aren't worth the loading time.
 */
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

/** Packages that aren't bundled: Google's packages, and the drivers for MongoDB, Kafka and Redis. */
const external = ['firebase-admin', 'firebase-tools', 'ioredis', 'kafkajs', 'mongodb'];

/**
 * Builds JavaScript for Node. Most packages are bundled, because half of the startup time was spent on resolving their
 * many files.
 */
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
        // dist/ is flat, so every built file reaches the repository's root as `../../`, just like the source files in
        // services/process/.
        entryFileNames: '[name].js',
        chunkFileNames: ({ name }) => (isPackages(name) ? `${PACKAGES}-[hash].js` : '[name]-[hash].js'),
        sourcemapExcludeSources: true,
        codeSplitting: { groups: [{ name: PACKAGES, test: /node_modules/, entriesAware: true }] },
      },
    },
  },
});
