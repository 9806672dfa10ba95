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

/**
 * Returns a message for each rule that doesn't name a file, and a message for each unknown id in a test title. An id is
 * unknown if it has a rule's prefix (LOG, CMD ...) but no rule has that id.
 */
export function faultsOfRules(rules: readonly Rule[], tests: readonly Test[]): string[] {
  const ids = new Set(rules.map(({ id }) => id));
  const prefixes = new Set(rules.map(({ id }) => id.replace(/\d+$/, '')));
  const unknown = (id: string) => !ids.has(id) && prefixes.has(id.replace(/\d+$/, ''));
  return [
    ...rules.filter(({ files }) => files.length === 0).map(({ id }) => `${id} names no file that keeps it.`),
    ...tests.flatMap(({ title, file }) =>
      [...idsIn(title)].filter(unknown).map((id) => `${file}: no rule has the id ${id}: ${title}`),
    ),
  ];
}
