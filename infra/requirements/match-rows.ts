export interface Row {
  id: string;
  words: string;
}

export interface Rule extends Row {
  files: string[];
}

export interface Test {
  title: string;
  file: string;
}

/** Parses rows.md. Each row is a list entry that begins with an id. */
export function parseRows(markdown: string): Row[] {
  return [...markdown.matchAll(/^- ([A-Z]\d+) (.+)$/gm)].map(([, id = '', words = '']) => ({ id, words }));
}

const NAMED_FILE = /`((?:services|web|infra)\/[^`*\s]+)`/g;

export function filesNamedIn(markdown: string): string[] {
  return [...markdown.matchAll(NAMED_FILE)].map(([, file = '']) => file);
}

/** Parses RULES.md. Each rule is a list entry of one or more lines that begins with an id in bold. */
export function parseRules(markdown: string): Rule[] {
  return markdown.split(/\n(?=- )|\n\n/).flatMap((entry) => {
    const [, id, text = ''] = entry.match(/^- \*\*([A-Z]+\d+)\*\* ([\s\S]+)/) ?? [];
    return id
      ? [{ id, words: text.replace(NAMED_FILE, '').replace(/\s+/g, ' ').trim(), files: filesNamedIn(text) }]
      : [];
  });
}

const idsIn = (title: string) => new Set(title.match(/\b[A-Z]+\d+\b/g));

/** Maps each id to the tests whose titles contain it as a whole word, so that a test of H12 doesn't count as a test of H1. */
export function testsById(listed: readonly Row[], tests: readonly Test[]): Map<string, Test[]> {
  const found = new Map<string, Test[]>(listed.map(({ id }) => [id, []]));
  for (const test of tests) for (const id of idsIn(test.title)) found.get(id)?.push(test);
  return found;
}

export function missingFiles(
  named: readonly { readonly id: string; readonly files: readonly string[] }[],
  exists: (file: string) => boolean,
): string[] {
  return named.flatMap(({ id, files }) =>
    files.filter((file) => !exists(file)).map((file) => `${id} names ${file}, which is not there.`),
  );
}

export function rulesWithoutFiles(rules: readonly Rule[]): string[] {
  return rules.filter(({ files }) => files.length === 0).map(({ id }) => `${id} names no file that keeps it.`);
}

/** Returns the ids before the sentence, in a test's title and in the titles of the `describe` blocks around the test. */
const leadingIds = (title: string) =>
  title.split(' > ').flatMap(
    (part) =>
      part
        .match(/^(?:[A-Z]+\d+(?: |$))+/)?.[0]
        .trim()
        .split(' ') ?? [],
  );

/** Returns a message for each id before a title's sentence that neither RULES.md nor rows.md defines. */
export function unknownInTitles(listed: readonly Row[], tests: readonly Test[]): string[] {
  const ids = new Set(listed.map(({ id }) => id));
  return tests.flatMap(({ title, file }) =>
    leadingIds(title).flatMap((id) => (ids.has(id) ? [] : [`${file}: no rule or row has the id ${id}: ${title}`])),
  );
}

/**
 * Returns a message for each word of a file that has a rule's prefix (LOG, CMD ...), although no rule has that id. Row
 * ids aren't checked, because words such as V8 look the same.
 */
export function unknownInText(rules: readonly Rule[], files: readonly { file: string; text: string }[]): string[] {
  const ids = new Set(rules.map(({ id }) => id));
  const prefixes = new Set(rules.map(({ id }) => id.replace(/\d+$/, '')));
  const unknown = (id: string) => !ids.has(id) && prefixes.has(id.replace(/\d+$/, ''));
  return files.flatMap(({ file, text }) =>
    [...idsIn(text)].filter(unknown).map((id) => `${file}: no rule has the id ${id}.`),
  );
}

const DEMO = 'services/demo/';

/**
 * Returns a message for each test of the demo that claims to prove a rule of the shop. Such a test proves a rule only if
 * a file of the demo keeps the rule.
 */
export function shopRulesInDemo(rules: readonly Rule[], tests: readonly Test[]): string[] {
  const foreign = new Set(
    rules.filter(({ files }) => !files.some((file) => file.startsWith(DEMO))).map(({ id }) => id),
  );
  return tests
    .filter(({ file }) => file.startsWith(DEMO))
    .flatMap(({ title, file }) =>
      [...idsIn(title)]
        .filter((id) => foreign.has(id))
        .map((id) => `${file}: no file in ${DEMO} keeps ${id}, so its tests can't prove it: ${title}`),
    );
}
