import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const plugins = z.array(z.object({ path: z.string(), includes: z.array(z.string()) }));
const biomeSchema = z.object({ plugins });
const foundSchema = z.object({ diagnostics: z.array(z.object({ location: z.object({ path: z.string() }) })) });

/** Lints files with this repository's plugins alone. Returns the path of each file with a finding, once per finding. */
function lint(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pure-rooms-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = biomeSchema.parse(JSON.parse(readFileSync('biome.json', 'utf8')));
  const absolute = config.plugins.map((plugin) => ({ ...plugin, path: resolve(plugin.path) }));
  writeFileSync(
    join(folder, 'biome.json'),
    JSON.stringify({ plugins: absolute, linter: { rules: { preset: 'none' } } }),
  );
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '.'], { cwd: folder });
  return foundSchema.parse(JSON.parse(String(stdout))).diagnostics.map(({ location }) => location.path);
}

it.each([
  'Date.now()',
  'new Date()',
  'Math.random()',
  'crypto.randomUUID()',
  'performance.now()',
  "fetch('/orders', { method: 'POST' })",
  'setTimeout(() => {}, 5)',
  'process.env.HOME',
])('PRJ2 in a room, only flows and routes may call %s', (act) => {
  const text = `export const act = () => ${act};\n`;
  const room = 'services/shop/order';
  const found = lint({
    [`${room}/decide.ts`]: text,
    [`${room}/place-flow.ts`]: text,
    [`${room}/order-routes.ts`]: text,
    [`${room}/decide.test.ts`]: text,
    'services/engine/queue.ts': text,
    [`${room}/fold.ts`]: 'export const fold = (at: string) => new Date(at).getTime();\n',
  });
  expect(found).toEqual([`${room}/decide.ts`]);
});
