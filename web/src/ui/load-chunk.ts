/** How long a chunk may take to load, in milliseconds. */
export const CHUNK_TIMEOUT = 120_000;

/**
 * The error for a chunk that could not be loaded, e.g. because the network failed or a newer version of the shop has
 * replaced the chunk.
 */
export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError';

  constructor(chunk: string, cause: unknown) {
    super(`Loading chunk ${chunk} failed.`, { cause });
  }
}

/** Loads a chunk on demand. Rejects with a ChunkLoadError if the load fails or takes longer than `CHUNK_TIMEOUT`. */
export async function loadChunk<T>(chunk: string, load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No response after ${CHUNK_TIMEOUT} ms.`)), CHUNK_TIMEOUT);
  });
  try {
    return await Promise.race([load(), timeout]);
  } catch (cause) {
    throw new ChunkLoadError(chunk, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` after the first paint, so that `work` doesn't delay the paint. */
export function afterFirstPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
