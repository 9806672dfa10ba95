import { z } from 'zod';
import { parseJson } from '../../runtime/parse-json.ts';

/** Thrown if a cursor is malformed or belongs to another list or sort order. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';
}

/** A document's place in a query's results: its value in the column that the query sorts by, and its id. */
export interface Position {
  readonly key: string | number;
  readonly id: string;
}

const cursorSchema = z.strictObject({ list: z.string(), key: z.union([z.string(), z.number()]), id: z.string() });

/** Returns an opaque cursor that is valid only for the list and sort order named by `list`. */
export function encodeCursor(list: string, { key, id }: Position): string {
  return Buffer.from(JSON.stringify({ list, key, id })).toString('base64url');
}

/**
 * Returns the position that a cursor encodes. @throws InvalidCursor if the cursor is malformed or belongs to another
 * list or sort order
 */
export function decodeCursor(list: string, cursor: string): Position {
  const position = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!position.success || position.data.list !== list) {
    throw new InvalidCursor(`This cursor does not belong to ${list}.`);
  }
  return { key: position.data.key, id: position.data.id };
}
