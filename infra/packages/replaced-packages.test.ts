import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { loadEmulator } from '../../services/demo/identity/load-emulator.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const readJson = (path: string): unknown => JSON.parse(readFileSync(fileOf(path), 'utf8'));

const namesSchema = z.record(z.string(), z.string());
const { overrides } = z.object({ overrides: z.record(z.string(), namesSchema) }).parse(readJson('package.json'));
const { packages } = z
  .object({ packages: z.record(z.string(), z.object({ name: z.string().optional() })) })
  .parse(readJson('package-lock.json'));

const require = createRequire(fileOf('services/package.json'));

/** Returns the files that a module has loaded, directly or through other modules. */
function filesLoadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const child of require.cache[file]?.children ?? []) filesLoadedBy(child.filename, found);
  return found;
}

/** Returns the names of the packages that a file requires anywhere, even where it hasn't run yet. */
function packagesRequiredIn(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/\brequire\(\s*['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g);
  return [...names].map(([, name = '']) => name);
}

/** Returns one line for each place in the loaded files that requires a package replaced below `parent`. */
function requiredThoughReplaced(parent: string, file: string): string[] {
  const replaced = Object.keys(overrides[parent] ?? {});
  return [...filesLoadedBy(file)]
    .filter((loaded) => /\.c?js$/.test(loaded))
    .flatMap((loaded) => packagesRequiredIn(loaded).map((name) => ({ loaded, name })))
    .filter(({ name }) => replaced.includes(name))
    .map(({ loaded, name }) => `${loaded} needs ${name}: remove it from "overrides" in package.json`);
}

it('the identity emulator needs none of the packages that package.json replaces with empty ones', () => {
  loadEmulator();
  const server = require.resolve('firebase-tools/lib/emulator/auth/server');
  // The emulator loads about 700 files, so a much smaller number would mean that this test looks in the wrong place.
  expect(filesLoadedBy(server).size).toBeGreaterThan(300);
  expect(requiredThoughReplaced('firebase-tools', server)).toEqual([]);
});

it('the parts of firebase-admin that the shop uses need none of the packages that package.json replaces with empty ones', () => {
  for (const part of ['firebase-admin/app', 'firebase-admin/auth']) {
    require(part);
    expect(filesLoadedBy(require.resolve(part)).size).toBeGreaterThan(10);
    expect(requiredThoughReplaced('firebase-admin', require.resolve(part))).toEqual([]);
  }
});

it('package-lock.json has an empty package in place of each package that package.json replaces', () => {
  const entries = Object.entries(overrides).flatMap(([parent, replaced]) =>
    Object.keys(replaced).map((name) => ({
      name: `${parent} > ${name}`,
      path: `node_modules/${parent}/node_modules/${name}`,
      hoisted: `node_modules/${name}`,
    })),
  );
  const installed = entries.map(({ name, path, hoisted }) => [name, (packages[path] ?? packages[hoisted])?.name]);
  const advice =
    'Older versions of npm ignore "overrides": restore package-lock.json, and repeat the change with npm 11.19.';
  expect(installed, advice).toEqual(entries.map(({ name }) => [name, 'noop-package']));
});
