import { describe, expect, it } from 'vitest';
import { idSchema } from '../contracts/ids.ts';
import { userIdOf } from './user-id.ts';

describe('userIdOf', () => {
  it('LOG3 an e-mail address has the same user id regardless of its case and surrounding whitespace', () => {
    const id = userIdOf('nusrat@micro-center.test', 'a secret');
    expect(idSchema.safeParse(id).success).toBe(true);
    expect(id).toHaveLength(32);
    expect(userIdOf('  Nusrat@Micro-Center.TEST\n', 'a secret')).toBe(id);
  });

  it('LOG3 a different e-mail address or a different secret gives a different user id', () => {
    const id = userIdOf('nusrat@micro-center.test', 'a secret');
    expect(userIdOf('tanvir@micro-center.test', 'a secret')).not.toBe(id);
    expect(userIdOf('nusrat@micro-center.test', 'another secret')).not.toBe(id);
  });

  it('LOG3 each generation of an e-mail address has a different user id, and generation 1 is the default', () => {
    const ids = [1, 2, 3, 21].map((generation) => userIdOf('nusrat@micro-center.test', 'a secret', generation));
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toBe(userIdOf('nusrat@micro-center.test', 'a secret'));
    for (const id of ids) expect(idSchema.safeParse(id).success).toBe(true);
    expect(userIdOf(' NUSRAT@micro-center.test', 'a secret', 2)).toBe(ids[1]);
  });
});
