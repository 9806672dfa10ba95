import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import {
  filesNamedIn,
  missingFiles,
  parseRows,
  parseRules,
  rulesWithoutFiles,
  shopRulesInDemo,
  type Test,
  testsById,
  unknownInText,
  unknownInTitles,
} from './match-rows.ts';
import { titlesIn } from './read-titles.ts';

/**
 * `npm run rows`: prints the tests of each rule in RULES.md and each row in rows.md. Fails if a rule or row has no
 * test, if a rule names no file, if a title or another text has an id that isn't defined, if a test of the demo has the
 * id of a rule that no file of the demo keeps, or if a document names a missing file.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const run = promisify(execFile);

const read = (name: string) => readFileSync(join(root, name), 'utf8');

const sources = ['services', 'infra', 'web']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => /\.(tsx?|mjs|css)$/.test(name) && !/\b(node_modules|dist)\b/.test(name));

function vitestTests(): Test[] {
  const files = sources.filter((name) => /\.(test|contract)\.tsx?$/.test(name));
  return files.flatMap((file) => titlesIn(join(root, file)).map((title) => ({ title, file })));
}

const specSchema = z.object({ title: z.string(), file: z.string() });
interface Suite {
  specs: z.infer<typeof specSchema>[];
  suites?: Suite[] | undefined;
}
const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(specSchema), suites: z.array(suiteSchema).optional() }),
);
const playwrightSchema = z.object({ config: z.object({ rootDir: z.string() }), suites: z.array(suiteSchema) });

const specsOf = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)];

/** Gets the list of tests from Playwright, because Playwright evaluates the template literals in test titles. */
async function playwrightTests(config: string): Promise<Test[]> {
  const args = ['test', '--list', '--reporter=json', '--config', config];
  const env = { ...process.env, TEST_RESULTS: '' };
  const { stdout } = await run(join(root, 'node_modules', '.bin', 'playwright'), args, { cwd: root, env });
  const { config: made, suites } = playwrightSchema.parse(JSON.parse(stdout));
  return suites.flatMap(specsOf).map(({ title, file }) => ({ title, file: relative(root, join(made.rootDir, file)) }));
}

const lists = await Promise.all([
  playwrightTests('playwright.config.ts'),
  playwrightTests('playwright.servers.config.ts'),
]);
const tests = [...vitestTests(), ...lists.flat()];
const rules = parseRules(read('RULES.md'));
const rows = parseRows(read('infra/requirements/rows.md'));
const listed = [...rules, ...rows];
const documents = readdirSync(root)
  .filter((name) => name.endsWith('.md') && name !== 'RULES.md')
  .map((name) => ({ id: name, files: filesNamedIn(read(name)) }));
const texts = [...sources, 'RULES.md', ...documents.map(({ id }) => id)].map((file) => ({ file, text: read(file) }));
const found = testsById(listed, tests);
for (const { id, words } of listed) {
  console.log(`\n${id}  ${words}`);
  for (const { file, title } of found.get(id) ?? []) console.log(`    ${file}: ${title}`);
}
const missing = listed.filter(({ id }) => (found.get(id) ?? []).length === 0).map(({ id }) => id);
const faults = [
  ...(missing.length > 0 ? [`Without a test: ${missing.join(', ')}`] : []),
  ...rulesWithoutFiles(rules),
  ...unknownInTitles(listed, tests),
  ...unknownInText(rules, texts),
  ...shopRulesInDemo(rules, tests),
  ...missingFiles([...rules, ...documents], (file) => existsSync(join(root, file))),
];
const proven = listed.length - missing.length;
console.log(`\nProven by a test: ${proven} of ${listed.length} (${rules.length} rules, ${rows.length} rows).`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
