import { readdirSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Every file that is started, by what its built file is called: those of main/, and what the shop starts beside itself. */
const mains = readdirSync(fileOf('./main/')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
const input = {
  ...Object.fromEntries(mains.map((name) => [name.replace('.ts', ''), fileOf(`./main/${name}`)])),
  'emulator-child': fileOf('./demo/emulator-child.ts'),
  'stripe-child': fileOf('./demo/stripe-child.ts'),
};

/** Our own code as JavaScript that Node runs as it is; packages stay where they are. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input,
      external: (id) => /^[@\w]/.test(id) && !isAbsolute(id),
      output: {
        // Flat: from services/dist/ the repository's root is as far as from services/process/.
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        sourcemapExcludeSources: true,
      },
    },
  },
});
