import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { filesOf, manifestSchema } from './page-scripts.ts';

/** `npm run check:size`: measures the files that the built home page loads before it is shown, and fails if they exceed the budget. */

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const HOME = ['index.html', 'src/features/home/home-page.tsx'];
/** The maximum sizes of the home page's scripts and style sheets after gzip, in kilobytes (1,000 bytes). */
const BUDGET = { scripts: 187, styles: 24 };

const kilobytes = (file: string) => gzipSync(readFileSync(join(DIST, file))).length / 1000;

const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(DIST, '.vite', 'manifest.json'), 'utf8')));
const files = filesOf(manifest, HOME);
for (const kind of ['scripts', 'styles'] as const) {
  let total = 0;
  for (const file of files[kind]) {
    const weight = kilobytes(file);
    total += weight;
    console.log(`${weight.toFixed(1).padStart(8)} kB  ${file}`);
  }
  console.log(`${total.toFixed(1).padStart(8)} kB  ${kind} of the home page (at most ${BUDGET[kind]} kB)\n`);
  if (total > BUDGET[kind]) process.exitCode = 1;
}
if (process.exitCode === 1) console.error('The home page exceeds its size budget.');
