/**
 * Faults that the text of an error reveals, even if another error wraps it, and what to do about them.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const KNOWN_TEXTS = [
  [
    /no space left on device|disk quota exceeded|database or disk is full/i,
    'The disk is full: free some space, then try again',
  ],
  [
    /NODE_MODULE_VERSION|invalid ELF header|wrong ELF class|incompatible architecture/,
    'The installed packages are for another version of Node or another kind of machine: run npm ci',
  ],
];

const NOT_ALLOWED =
  'Permission denied: run this as the owner of the files, or clone the repository into your own folder';
/** @type {Readonly<Record<string, string>>} */
const KNOWN_CODES = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: 'The disk is read-only: clone the repository to a disk that you can write to',
  EMFILE: 'Too many files are open: raise the limit with ulimit -n',
};

/**
 * Returns the text to print when a program can't start or fails. The text is one line that says what happened and what
 * to do (START1), or the stack trace if the error is a bug. This file is plain JavaScript, because it's also used before
 * anything is built.
 * @type {(error: unknown) => string}
 */
export function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  const chain = chainOf(error);
  for (const [text, line] of KNOWN_TEXTS) {
    const found = chain.find(({ message }) => text.test(message));
    if (found) return withDetail(line, found.message);
  }
  if ('isReadable' in error) return oneLine(error.message);
  for (const { code = '', message } of chain) {
    const line = KNOWN_CODES[code];
    if (line) return withDetail(line, message);
    const missing = /MODULE_NOT_FOUND$/.test(code) && packageIn(message);
    if (missing) return `The package ${missing} is missing: run npm ci --include=dev.`;
  }
  return error.stack ?? error.message;
}

/** @type {(text: string) => string} */
const oneLine = (text) => text.trim().replace(/\s*\n\s*/g, ' ');
/** @type {(line: string, message: string) => string} */
function withDetail(line, message) {
  const [detail = ''] = message.trim().split('\n', 1);
  return `${line} (${detail.replace(/\.+$/, '')}).`;
}

/**
 * Lists the error and its causes, the error itself first.
 * @type {(error: unknown) => (Error & { code?: string })[]}
 */
function chainOf(error) {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : [];
}

/**
 * Returns the name of the package in the message of a failed import, or null if the message names another file.
 * @type {(message: string) => string | null}
 */
function packageIn(message) {
  const [, specifier = ''] = /'([^']*)'/.exec(message) ?? [];
  const [, name = null] = /^(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^./@][^/]*)/.exec(specifier) ?? [];
  return name;
}
