import { expect, it } from 'vitest';
import { createUnrecordedMoneyNotes } from './unrecorded-money.ts';

it('PAY3 only the newest thousand notes about unrecorded money are kept, but every note is logged', () => {
  const logged: unknown[] = [];
  const notes = createUnrecordedMoneyNotes({ error: (about: unknown) => void logged.push(about) });
  for (let n = 1; n <= 1_001; n += 1) {
    notes.note({ what: 'paid_for_missing_order', orderId: `order${n}`, intent: `pi_${n}`, amount: 100 });
  }
  expect(notes.list()).toHaveLength(1_000);
  expect(notes.list()[0]).toMatchObject({ intent: 'pi_2' });
  expect(logged).toHaveLength(1_001);
});
