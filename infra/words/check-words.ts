import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findWords } from './find-words.ts';

/** `npm run check:words`: fails if a comment, title, message or document contains words that make a reader stumble (find-words.ts). */

const WRITTEN = ['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.css', '*.md', '*.yml', '*.sh', '.ci/run', 'web/index.html'];
/** Excludes the word list itself, and the results that benchmarks write. */
const LEFT_OUT = [':!infra/words', ':!*RESULTS*.md'];

const files = execFileSync('git', ['ls-files', '-z', '--', ...WRITTEN, ...LEFT_OUT], { encoding: 'utf8' });
for (const file of files.split('\0').filter(Boolean)) {
  for (const { line, words, instead } of findWords(readFileSync(file, 'utf8'))) {
    console.log(`${file}:${line}  '${words}': write ${instead}`);
    process.exitCode = 1;
  }
}
