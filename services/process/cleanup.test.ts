import { describe, expect, it } from 'vitest';
import { createCleanup, startWithCleanup } from './cleanup.ts';

describe('a cleanup', () => {
  it('LOG1 a cleanup runs its steps once, in reverse order', async () => {
    const ran: string[] = [];
    const cleanup = createCleanup();
    cleanup.add(() => void ran.push('store'));
    cleanup.add(() => void ran.push('server'));
    await Promise.all([cleanup.run(), cleanup.run()]);
    expect(ran).toEqual(['server', 'store']);
  });

  it("LOG1 a cleanup runs its remaining steps even if one fails, and then throws that step's error", async () => {
    const ran: string[] = [];
    const cleanup = createCleanup();
    cleanup.add(() => void ran.push('store'));
    cleanup.add(() => Promise.reject(new Error('the feed hangs')));
    await expect(cleanup.run()).rejects.toThrow('the feed hangs');
    expect(ran).toEqual(['store']);
  });

  it('LOG1 if several cleanup steps fail, the cleanup throws all of their errors', async () => {
    const cleanup = createCleanup();
    for (const what of ['store', 'feed']) cleanup.add(() => Promise.reject(new Error(what)));
    await expect(cleanup.run()).rejects.toMatchObject({ errors: [{ message: 'feed' }, { message: 'store' }] });
  });

  it('LOG1 a failed startup throws its own error, even if a cleanup step fails too', async () => {
    const start = startWithCleanup(async (cleanup) => {
      cleanup.add(() => Promise.reject(new Error('the store cannot be closed')));
      throw new Error('the port is in use');
    });
    await expect(start).rejects.toThrow('the port is in use');
  });
});
