import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';

/** The channel on which SQLite's package publishes each executed statement, with its values. */
const QUERIES = 'sqlite.db.query';

/** Returns an array that every executed statement is added to, until the test ends. */
export function executedSql(): string[] {
  const executed: string[] = [];
  const note = (query: unknown) => {
    const { sql } = query as { readonly sql: string };
    // FTS5's own statements name the schema of each table.
    if (!sql.includes("'main'.")) executed.push(sql);
  };
  subscribe(QUERIES, note);
  onTestFinished(() => void unsubscribe(QUERIES, note));
  return executed;
}
