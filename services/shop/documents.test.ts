import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { columnsOf, type Declaration, textOf } from '../contracts/document-queries.ts';
import type { AnyDocument } from '../contracts/documents.ts';
import {
  sampleBalance,
  sampleMail,
  sampleOrder,
  sampleProduct,
  sampleReview,
  sampleUser,
} from '../engine/read-models/sample-documents.fixture.ts';
import { shopDocuments } from './documents.ts';

const SAMPLES: readonly AnyDocument[] = [sampleOrder, sampleProduct, sampleUser, sampleReview].flatMap((sample) => [
  sample({ id: 'a'.repeat(24) }),
  sample({ id: 'b'.repeat(24), name: 'Émile MC-1042', createdAt: '2026-02-03T04:00:00.000Z' }),
]);
const PAID = { status: 'shipped', paidAt: '2026-02-03T04:00:00.000Z', shippedAt: '2026-02-05T04:00:00.000Z' } as const;
const OTHERS: readonly AnyDocument[] = [
  sampleOrder({ id: 'c'.repeat(24), ...PAID, kept: 10.5, owes: { intents: ['pi_1'], refunds: [] } }),
  sampleProduct({ id: 'c'.repeat(24), quantity: 0, removed: true }),
  sampleUser({ id: 'c'.repeat(24), role: 'admin', closed: true }),
  sampleMail(5, { id: 'c'.repeat(24) }),
  sampleBalance({ id: 'c'.repeat(24), transaction: 'txn_1', source: 'ch_1', intent: 'pi_1' }),
];

/** Returns a kind's version, and a hash of its declaration and of what is computed from some documents. */
function signatureOf({ kind }: Pick<AnyDocument, 'kind'>): string {
  const declaration: Declaration = shopDocuments[kind];
  const computed = [...SAMPLES, ...OTHERS]
    .filter((document) => document.kind === kind)
    .map((document) => [columnsOf(declaration, document), textOf(declaration, document)]);
  const { version, indexes, counted } = declaration;
  const hash = createHash('sha256')
    .update(JSON.stringify([computed, indexes, counted]))
    .digest('hex');
  return `${version} ${hash.slice(0, 16)}`;
}

it("LIST1 a kind's declaration gets a new version with every change, so that stores compute their columns again", () => {
  const kinds = ['order', 'product', 'user', 'review', 'mail', 'balance'] as const;
  // If this test fails, raise the version of the changed declaration, and then change the line here.
  expect(Object.fromEntries(kinds.map((kind) => [kind, signatureOf({ kind })]))).toEqual({
    order: '1 5ecd781017efb51a',
    product: '1 6319e6f2ece4933b',
    user: '1 7bc0d307efcb7fd9',
    review: '1 27963812e9080090',
    mail: '1 ffaedaad27181077',
    balance: '1 00b253813e92f496',
  });
});
