import { wipeWal } from '../../runtime/empty-wal.ts';
import type { Simulation } from './simulation.ts';

const FORGOTTEN: Readonly<Record<string, unknown>> = {
  billing_details: { address: null, email: null, name: null, phone: null },
  receipt_email: null,
  description: null,
};

/**
 * Erases the personal data of these payment intents' payers from all stored objects, events and responses. Keeps the
 * amounts.
 * @throws Error if another connection is reading the database file
 */
export function forgetPayers({ database, store }: Simulation, intents: readonly string[]): void {
  const related = intents.flatMap((id) => {
    const intent = store.get('payment_intent', id);
    return [id, intent?.payment_method, intent?.latest_charge].filter((part) => typeof part === 'string');
  });
  database.transaction(() => {
    for (const table of ['objects', 'answers']) {
      const mentioning = database.prepare<[string], { at: number; body: string }>(
        `SELECT rowid AS at, body FROM ${table} WHERE instr(body, ?) > 0`,
      );
      const rewrite = database.prepare<[string, number]>(`UPDATE ${table} SET body = ? WHERE rowid = ?`);
      for (const id of new Set(related)) {
        for (const { at, body } of mentioning.all(id)) rewrite.run(withoutPayer(body), at);
      }
    }
  });
  wipeWal(database);
}

function withoutPayer(body: string): string {
  return JSON.stringify(
    JSON.parse(body, (key, value: unknown) => (key in FORGOTTEN && value ? FORGOTTEN[key] : value)),
  );
}
