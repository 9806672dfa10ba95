import { z } from 'zod';
import { wipeWal } from '../../runtime/empty-wal.ts';
import type { Database } from './database.ts';

const FORGOTTEN: Readonly<Record<string, unknown>> = {
  billing_details: { address: null, email: null, name: null, phone: null },
  receipt_email: null,
  description: null,
};

const partsSchema = z.object({ payment_method: z.string().nullish(), latest_charge: z.string().nullish() });

/** Overwrites the payers of these intents in all objects, events and stored answers; amounts stay. @throws Error while the file is being read */
export function forgetPayers(database: Database, intents: readonly string[]): void {
  const bodyOf = database.prepare<[string], { body: string }>('SELECT body FROM objects WHERE id = ?');
  const related = intents.flatMap((intent) => {
    const row = bodyOf.get(intent);
    const parts = row ? partsSchema.parse(JSON.parse(row.body)) : {};
    return [intent, parts.payment_method, parts.latest_charge].filter((id) => typeof id === 'string');
  });
  database
    .transaction(() => {
      for (const table of ['objects', 'answers']) {
        const speaking = database.prepare<[string], { at: number; body: string }>(
          `SELECT rowid AS at, body FROM ${table} WHERE instr(body, ?) > 0`,
        );
        const rewrite = database.prepare<[string, number]>(`UPDATE ${table} SET body = ? WHERE rowid = ?`);
        for (const id of new Set(related)) {
          for (const { at, body } of speaking.all(id)) rewrite.run(withoutPayer(body), at);
        }
      }
    })
    .immediate();
  wipeWal(database);
}

function withoutPayer(body: string): string {
  return JSON.stringify(
    JSON.parse(body, (key, value: unknown) => (key in FORGOTTEN && value ? FORGOTTEN[key] : value)),
  );
}
