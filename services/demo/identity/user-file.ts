import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';

const FORMAT = 1;

const savedUserSchema = z.looseObject({ localId: z.string().min(1) });
export type SavedUser = z.infer<typeof savedUserSchema>;

const userFileSchema = z.object({ format: z.number().int(), users: z.array(savedUserSchema) });

/** @throws Error with one readable line where the file is damaged or of a newer version */
export async function readUserFile(path: string): Promise<SavedUser[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const parsed = userFileSchema.safeParse(jsonOf(text));
  if (!parsed.success) throw new Error(`${path} is damaged: it does not hold the users of the identity emulator.`);
  if (parsed.data.format > FORMAT) throw new Error(`${path} was written by a newer version of this shop.`);
  return parsed.data.users;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that resolves once all changes before the call are on disk. Calls during a write share the next one;
 * without changes nothing is written.
 */
export function createUserSaver(path: string, current: () => Iterable<unknown>): () => Promise<void> {
  let onDisk = '';
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;

  async function saveNow(): Promise<void> {
    const text = JSON.stringify({ format: FORMAT, users: [...current()] });
    if (text === onDisk) return;
    await writeDurably(path, text);
    onDisk = text;
  }

  function next(): Promise<void> {
    queued = undefined;
    running = saveNow();
    return running;
  }

  return () => {
    queued ??= running.then(next, next);
    return queued;
  };
}

/** After a power failure the file holds the old text or the new one. */
async function writeDurably(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    // A file left by a crash keeps its own mode, and the emulator's passwords are plain text.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
