import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installPackages } from './load-lighthouse.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packages-'));
  mkdirSync(join(folder, 'local'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));

/** Writes the files of a project whose only dependency is a local folder, so that npm downloads nothing. */
function writeProject(version: string): void {
  const dependencies = { local: 'file:local' };
  write('local/package.json', { name: 'local', version });
  write('package.json', { dependencies });
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: { '': { dependencies }, local: { version }, 'node_modules/local': { resolved: 'local', link: true } },
  });
}

const isInstalled = () => existsSync(join(folder, 'node_modules', 'local', 'package.json'));

it('`npm run lighthouse` installs its packages on first use, and again only after their lock file has changed', () => {
  const said: string[] = [];
  const install = () => installPackages(folder, (line) => said.push(line));
  writeProject('1.0.0');
  install();
  install();
  expect(said).toHaveLength(1);
  expect(isInstalled()).toBe(true);
  writeProject('2.0.0');
  install();
  expect(said).toHaveLength(2);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  install();
  expect(said).toHaveLength(3);
  expect(isInstalled()).toBe(true);
});

it('`npm run lighthouse` repeats an installation that failed', () => {
  const said: string[] = [];
  const install = () => installPackages(folder, (line) => said.push(line));
  writeProject('1.0.0');
  write('package.json', { dependencies: { other: 'file:other' } });
  expect(install).toThrow(`\`npm ci\` failed in ${folder}`);
  writeProject('1.0.0');
  install();
  expect(said).toHaveLength(2);
});
