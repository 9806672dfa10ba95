import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { batchRequests } from '../../runtime/batch-requests.ts';
import { parseJson } from '../../runtime/parse-json.ts';

const FORMAT = 1;

const savedUserSchema = z.looseObject({ localId: z.string().min(1) });
export type SavedUser = z.infer<typeof savedUserSchema>;

const userFileSchema = z.object({ format: z.number().int(), users: z.array(savedUserSchema) });

/**
 * Returns the saved users, or none if the file doesn't exist.
 * @throws Error with a one-line message if the file is damaged or was written by a newer version
 */
export async function readUserFile(path: string): Promise<SavedUser[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const parsed = userFileSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new Error(`${path} is damaged: restore it from a backup, or delete it to start over with the demo accounts.`);
  if (parsed.data.format > FORMAT) {
    throw new Error(
      `${path} was written by a newer version of this program: update this program, or set DATA_DIR to another directory.`,
    );
  }
  return parsed.data.users;
}

/**
 * Returns a function that saves the users and resolves once all changes made before the call are on disk. Calls during
 * a write share the next write. If nothing has changed, nothing is written.
 */
export function createUserSaver(path: string, current: () => Iterable<unknown>): () => Promise<void> {
  let onDisk = '';
  const save = batchRequests<void, void>({
    async send() {
      const text = JSON.stringify({ format: FORMAT, users: [...current()] });
      if (text !== onDisk) await writeDurably(path, text);
      onDisk = text;
      return [];
    },
    maxBatchSize: Number.POSITIVE_INFINITY,
    maxInFlight: 1,
  });
  return () => save();
}

/**
 * Replaces the file atomically, even if the power fails. Only the file's owner can read it, because it contains
 * passwords in plain text.
 */
async function writeDurably(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const temporary = `${path}.new`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, path);
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
