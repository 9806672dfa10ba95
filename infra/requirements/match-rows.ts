export interface Row {
  id: string;
  words: string;
}

export interface Test {
  title: string;
  file: string;
}

/** The rows of rows.md: each a list entry that begins with its id. */
export function parseRows(markdown: string): Row[] {
  return [...markdown.matchAll(/^- ([A-Z]\d+) (.+)$/gm)].map(([, id = '', words = '']) => ({ id, words }));
}

/** The tests of each row: those whose title holds its id as a word, so that H1 is not found in H12. */
export function testsByRow(rows: readonly Row[], tests: readonly Test[]): Map<string, Test[]> {
  const found = new Map<string, Test[]>(rows.map(({ id }) => [id, []]));
  for (const test of tests) {
    for (const word of new Set(test.title.match(/\b[A-Z]\d+\b/g))) found.get(word)?.push(test);
  }
  return found;
}
