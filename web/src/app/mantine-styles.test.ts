import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const MANTINE = join(SOURCES, '..', '..', 'node_modules', '@mantine', 'core');
const COMPONENTS = join(MANTINE, 'esm', 'components');

const filesBelow = (folder: string, suffix: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => suffix.test(name))
    .map((name) => join(folder, name));

/** The names that the client imports from Mantine. */
function importedNames(): Set<string> {
  const names = new Set<string>();
  for (const file of filesBelow(SOURCES, /\.tsx?$/)) {
    for (const [, list = ''] of readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)) {
      for (const name of list.split(',')) names.add(name.trim());
    }
  }
  return names;
}

/** Adds the style sheets that a component's file uses, directly or through its imports, to `sheets`. */
function sheetsOf(file: string, seen: Set<string>, sheets: Set<string>): void {
  if (seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+\.mjs)"/g)) {
    const next = join(dirname(file), target);

    const sheet = /(\w+)\.module\.mjs$/.exec(next)?.[1];
    if (sheet === undefined) sheetsOf(next, seen, sheets);
    else if (existsSync(join(MANTINE, 'styles', `${sheet}.css`))) sheets.add(sheet);
  }
}

it('mantine.css imports the style sheet of every Mantine component in use', () => {
  const files = new Map(filesBelow(COMPONENTS, /\.mjs$/).map((file) => [/(\w+)\.mjs$/.exec(file)?.[1] ?? '', file]));
  const needed = new Set<string>();
  for (const name of importedNames()) sheetsOf(files.get(name) ?? '', new Set(), needed);
  const listed = readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8');
  expect(needed.size).toBeGreaterThan(10);
  expect([...needed].filter((sheet) => !listed.includes(`/styles/${sheet}.css`)).sort()).toEqual([]);
});
