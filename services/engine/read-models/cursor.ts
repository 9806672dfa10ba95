import { z } from 'zod';
import { parseJson } from '../../runtime/parse-json.ts';
import { InvalidCursor } from './read-models.ts';

/** Where a page ended: the sort key and the id of its last item. */
export interface Position<Key extends string | number = string | number> {
  readonly key: Key;
  readonly id: string;
}

const cursorSchema = z.strictObject({ list: z.string(), key: z.union([z.string(), z.number()]), id: z.string() });

/** Returns an opaque cursor that is valid only for the list and sort named by `list`, e.g. 'order:newest'. */
export function encodeCursor(list: string, { key, id }: Position): string {
  return Buffer.from(JSON.stringify({ list, key, id })).toString('base64url');
}

/**
 * Returns the position that a cursor encodes. @throws InvalidCursor if the cursor is malformed or belongs to another
 * list or sort
 */
export function decodeCursor<Key extends string | number>(
  list: string,
  cursor: string,
  keySchema: z.ZodType<Key>,
): Position<Key> {
  const position = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  const key = keySchema.safeParse(position.data?.key);
  if (!position.success || !key.success || position.data.list !== list) {
    throw new InvalidCursor(`This cursor does not belong to ${list}.`);
  }
  return { key: key.data, id: position.data.id };
}
