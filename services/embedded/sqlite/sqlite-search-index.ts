import type { DocumentKind } from '../../contracts/ids.ts';
import { LAST_CHARACTER } from '../../engine/read-models/search-text.ts';
import type { Database } from '../../runtime/sqlite.ts';

const GRAM = 3;
/**
 * The maximum number of trigrams to look up for one word. A word of one or two characters is found by looking up all
 * trigrams that begin with it. If more than this many trigrams begin with the word, most texts contain the word, and
 * the index isn't used.
 */
const MOST_GRAMS = 100;
/** Padding appended to each text, so that a trigram also starts at each of the text's last characters. */
const END = '\n\n';

const tablesOf = (kind: DocumentKind) => [`${kind}_searched`, `${kind}_grams`, `${kind}_gram_list`] as const;

/**
 * Opens the search index for one document kind (FIND1). The index stores each text's trigrams in an FTS5 table. Texts
 * removed from the index are erased from the file's pages as well.
 */
export function openSearchIndex(database: Database, kind: DocumentKind) {
  const [rows, grams, vocabulary] = tablesOf(kind);
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${rows} (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
    CREATE VIRTUAL TABLE IF NOT EXISTS ${grams}
      USING fts5(text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
    CREATE VIRTUAL TABLE IF NOT EXISTS ${vocabulary} USING fts5vocab(${grams}, row);
    INSERT INTO ${grams} (${grams}, rank) VALUES ('secure-delete', 1);`);
  const beginning = database.prepare<[string, string, number], { term: string }>(
    `SELECT term FROM ${vocabulary} WHERE term >= ? AND term < ? LIMIT ?`,
  );
  const matching = database.prepare<[string, number], { row: number }>(
    `SELECT rowid AS row FROM ${grams} WHERE ${grams} MATCH ? LIMIT ?`,
  );
  const idsOf = database.prepare<[string], { id: string }>(
    `SELECT id FROM ${rows} WHERE row IN (SELECT value FROM json_each(?))`,
  );

  /** Returns the FTS5 query for a word, or null if nearly every text matches. */
  function matchOf(word: string): string | null {
    const characters = [...word];
    if (characters.length >= GRAM) {
      const each = characters.slice(GRAM - 1).map((_, from) => characters.slice(from, from + GRAM).join(''));
      return each.map(quoted).join(' AND ');
    }
    const terms = beginning.all(word, `${word}${LAST_CHARACTER}`, MOST_GRAMS + 1).map(({ term }) => quoted(term));
    if (terms.length > MOST_GRAMS) return null;
    // If no indexed trigram begins with the word, no text can match. The query then looks up a trigram that isn't in
    // the index, and so returns no rows.
    return terms.length === 0 ? quoted(`${word}${END}`.slice(0, GRAM)) : `(${terms.join(' OR ')})`;
  }

  return {
    /**
     * Returns the ids of all documents that may contain these words. Returns null if there are more than `most` such
     * documents, or if every word is too common to narrow the search down.
     */
    candidates(words: readonly string[], most: number): string[] | null {
      const matches = words.map((word) => matchOf(searchable(word))).filter((match) => match !== null);
      if (matches.length === 0) return null;
      const found = matching.all(matches.join(' AND '), most + 1).map(({ row }) => row);
      return found.length > most ? null : idsOf.all(JSON.stringify(found)).map(({ id }) => id);
    },
  };
}

/** Returns two functions that update an existing index. They run in the caller's transaction. */
export function prepareSearchWrites(database: Database, kind: DocumentKind) {
  const [rows, grams] = tablesOf(kind);
  const addRow = database.prepare<[string]>(`INSERT OR IGNORE INTO ${rows} (id) VALUES (?)`);
  const findRow = database.prepare<[string], { row: number }>(`SELECT row FROM ${rows} WHERE id = ?`);
  const add = database.prepare<[number, string]>(`INSERT INTO ${grams} (rowid, text) VALUES (?, ?)`);
  const remove = database.prepare<[number, string]>(
    `INSERT INTO ${grams} (${grams}, rowid, text) VALUES ('delete', ?, ?)`,
  );
  return {
    /** `before` is the document's previous search text, or null for a new document. */
    replace(id: string, before: string | null, after: string): void {
      addRow.run(id);
      const row = findRow.get(id)?.row;
      if (row === undefined) throw new Error(`Document ${id} has no row in the search index.`);
      if (before !== null) remove.run(row, indexed(before));
      add.run(row, indexed(after));
    },
    clear: () => database.exec(`INSERT INTO ${grams} (${grams}) VALUES ('delete-all'); DELETE FROM ${rows};`),
  };
}

/** FTS5 treats a null character as the end of the text. */
const searchable = (text: string) => text.replaceAll('\0', '\uFFFD');
const indexed = (text: string) => `${searchable(text)}${END}`;
const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** Drops the search index for one document kind, in the caller's transaction. */
export function dropSearchIndex(database: Database, kind: DocumentKind): void {
  for (const table of tablesOf(kind).toReversed()) {
    database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}
