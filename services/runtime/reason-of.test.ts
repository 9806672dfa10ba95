import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { ReadableError } from './readable-error.ts';
import { reasonOf } from './reason-of.mjs';

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });
const FULL = 'ENOSPC: no space left on device, write';

it.each([
  ['a file', withCode('ENOSPC', FULL)],
  ['a file that a child process writes', new ReadableError(`The identity emulator did not start: ${FULL}`)],
  ['a database', new ReadableError('a.sqlite cannot be used.', { cause: new Error('database or disk is full') })],
  ['a build', new ReadableError('web could not be built: No space left on device')],
])('START1 a full disk is reported on one line if the program writes %s', (_what, error) => {
  expect(reasonOf(error)).toMatch(/^The disk is full: free some space, then try again \(.*[^.]\)\.$/);
});

it.each([
  ['vite', "Cannot find module 'vite/package.json'\nRequire stack:\n- /shop/web/package.json"],
  ['better-sqlite3', "Cannot find package 'better-sqlite3' imported from /shop/services/dist/start.js"],
  ['@micro-center/services', "Cannot find package '@micro-center/services' imported from /shop/web/src/main.tsx"],
  ['tsx', "Cannot find package '/shop/node_modules/tsx/index.js' imported from /shop/"],
])('START1 the missing package %s is named on one line', (name, message) => {
  const line = `The package ${name} is missing: run npm ci --include=dev.`;
  expect(reasonOf(withCode('ERR_MODULE_NOT_FOUND', message))).toBe(line);
});

it('START1 a package that Node itself does not find is named on one line', () => {
  const resolve = () => createRequire(import.meta.url).resolve('no-such-package/package.json');
  expect(resolve).toThrow();
  try {
    resolve();
  } catch (error) {
    expect(reasonOf(error)).toBe('The package no-such-package is missing: run npm ci --include=dev.');
  }
});

it('START1 a missing file of the program itself is a bug, and is reported with its stack trace', () => {
  const error = withCode('ERR_MODULE_NOT_FOUND', "Cannot find module '/shop/services/dist/other.js'");
  expect(reasonOf(error)).toBe(error.stack);
});

it('START1 a package that was compiled for another version of Node is reported on one line', () => {
  const message = 'The data directory .data cannot be used: a.node was compiled\nusing NODE_MODULE_VERSION 115.';
  expect(reasonOf(new ReadableError(message))).toMatch(
    /^The installed packages are for another version .*npm ci \(.*\)\.$/,
  );
});

it.each([
  ['EACCES', /^Permission denied: .* your own folder \(EACCES: mkdtemp\)\.$/],
  ['EPERM', /^Permission denied: .* your own folder \(EPERM: mkdtemp\)\.$/],
  ['EROFS', /^The disk is read-only: .* \(EROFS: mkdtemp\)\.$/],
  ['EMFILE', /^Too many files are open: .* ulimit -n \(EMFILE: mkdtemp\)\.$/],
])('START1 the error %s is reported on one line, even as the cause of another error', (code, line) => {
  const error = withCode(code, `${code}: mkdtemp`);
  expect(reasonOf(error)).toMatch(line);
  expect(reasonOf(new Error('The folder could not be made.', { cause: error }))).toMatch(line);
});

it('a readable error is reported as its message on one line, and any other error with its stack trace', () => {
  expect(reasonOf(new ReadableError('First.\n  Second.'))).toBe('First. Second.');
  const bug = new TypeError('shop is not a function');
  expect(reasonOf(bug)).toBe(bug.stack);
  expect(reasonOf('a thrown text')).toBe('a thrown text');
});
