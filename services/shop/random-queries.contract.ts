import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, columnsOf, type Declaration, type Query } from '../contracts/document-queries.ts';
import type { AnyDocument } from '../contracts/documents.ts';
import type { DocumentKind } from '../contracts/ids.ts';
import { type StartReadModels, useReadModels } from '../engine/read-models/read-models.fixture.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import {
  sampleBalance,
  sampleMail,
  sampleOrder,
  sampleProduct,
  sampleReview,
  sampleUser,
  second,
} from '../engine/read-models/sample-documents.fixture.ts';
import { createMemoryReadModels } from '../whole-shop/simulation/memory-read-models.ts';
import { createShopDisk } from '../whole-shop/simulation/shop-tables.ts';
import { shopDocuments } from './documents.ts';

const RUNS = 40;
const NAMES = ['Tower', 'tower one', 'Zürich', '100%'];
const time = fc.integer({ min: 0, max: 4 }).map(second);
const name = fc.constantFrom(...NAMES);
const timeOrNull = fc.option(time);

const anyDocument: fc.Arbitrary<AnyDocument> = fc.oneof(
  fc
    .record({
      createdAt: time,
      name,
      customer: fc.constantFrom('a', 'b'),
      status: fc.constantFrom('unpaid', 'paid', 'shipped', 'cancelled'),
      expiresAt: timeOrNull,
      paidAt: timeOrNull,
      shippedAt: time,
      total: fc.nat(9),
      owes: fc.constantFrom({ intents: [], refunds: [] }, { intents: ['pi_1'], refunds: [] }),
    })
    .map((order) => sampleOrder({ ...order, shippedAt: order.status === 'shipped' ? order.shippedAt : null })),
  fc.record({ createdAt: time, name, price: fc.nat(3), quantity: fc.nat(9), removed: fc.boolean() }).map(sampleProduct),
  fc.record({ createdAt: time, name, role: fc.constantFrom('admin', 'customer') }).map(sampleUser),
  fc.record({ createdAt: time, name }).map(sampleReview),
  fc.option(fc.nat(4)).map((claimedUntil) => sampleMail(claimedUntil)),
  fc.record({ createdAt: time, intent: fc.option(fc.constantFrom('pi_1', 'pi_2')) }).map(sampleBalance),
);

type Declared = Declaration & { readonly kind: DocumentKind; query(question: object): Query };

const DECLARED = Object.entries(shopDocuments).map(([kind, declared]) => ({
  ...declared,
  kind,
})) as unknown as readonly Declared[];

const SAMPLES = fc.sample(anyDocument, { numRuns: 300, seed: 1 });

/** Returns one of the values that documents of a kind have in a column. Returns true for a flag. */
function ofColumn(declared: Declared, column: string): fc.Arbitrary<string | number | true> {
  const documents = SAMPLES.filter(({ kind }) => kind === declared.kind);
  const values = documents.map((document) => columnsOf(declared, document)[column] ?? null);
  return fc.constantFrom(...new Set(values.filter((value) => value !== null)));
}

const isFlag = (declared: Declared, column: string) =>
  SAMPLES.some((document) => document.kind === declared.kind && columnsOf(declared, document)[column] === true);

function fixedOf(declared: Declared, column: string): fc.Arbitrary<Condition> {
  const value = ofColumn(declared, column);
  const several = fc
    .array(
      value.filter((one) => one !== true),
      { maxLength: 3 },
    )
    .map((values) => ({ in: values }));
  return value.chain(
    (one): fc.Arbitrary<Condition> => (one === true ? fc.constant(one) : fc.oneof(fc.constant(one), several)),
  );
}

function rangeOf(declared: Declared, column: string): fc.Arbitrary<Condition> {
  const bound = ofColumn(declared, column).filter((value) => value !== true);
  return fc.record({ from: bound, before: bound, upTo: bound }, { requiredKeys: [] });
}

const text = fc.constantFrom('', '', 'tower', 'to', 'ü', '0%', 'nobody');

/** Asks for the documents of one declared index, with conditions on its columns and sometimes on another column. */
const anyQuery: fc.Arbitrary<Query> = fc
  .constantFrom(...DECLARED)
  .chain((declared) =>
    fc.record({
      declared: fc.constant(declared),
      index: fc.constantFrom(...declared.indexes.map((index) => [...index, 'id'])),
      other: fc.constantFrom(...Object.keys(declared.columns)),
      sorted: fc.boolean(),
    }),
  )
  .chain(({ declared, index, other, sorted }) => {
    const columns = index.slice(0, index.indexOf('id'));
    const by = sorted && !isFlag(declared, columns.at(-1) ?? '') ? columns.pop() : undefined;
    const given = Object.fromEntries(columns.map((column) => [column, fixedOf(declared, column)]));
    return fc
      .record({
        given: fc.record(given),
        more:
          other === by || other in given
            ? fc.constant({})
            : fc.record({ [other]: fixedOf(declared, other) }, { requiredKeys: [] }),
        bounds: by === undefined ? fc.constant({}) : fc.record({ [by]: rangeOf(declared, by) }, { requiredKeys: [] }),
        descending: fc.boolean(),
        text: declared.text ? text : fc.constant(''),
      })
      .map(({ given, more, bounds, descending, text }) =>
        declared.query({ where: { ...more, ...given, ...bounds }, by, descending, text }),
      );
  });

async function answersOf(models: ReadModels, query: Query, limit: number) {
  const [first] = await models.findIds(query);
  const { items, next } = await models.page(query, { limit });
  return {
    all: await models.find(query),
    some: await models.find(query, { limit, after: first }),
    ids: await models.findIds(query, { limit }),
    page: items,
    rest: next === null ? null : (await models.page(query, { limit, cursor: next })).items,
    count: await models.count(query),
    sum: query.kind === 'order' ? await models.sum(query, 'keptPoisha') : null,
    byStatus: await models.countByValue('order'),
  };
}

export function randomQueriesContract(adapter: string, start: StartReadModels): void {
  describe(`The shop's queries: ${adapter}: random queries`, () => {
    let models: ReadModels;
    useReadModels(start, (opened) => {
      models = opened;
    });

    it('LIST1 any query that a declared index serves gets the same answer as from documents in memory', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyDocument, { minLength: 10, maxLength: 40 }),
          fc.array(anyQuery, { minLength: 10, maxLength: 10 }),
          fc.integer({ min: 1, max: 5 }),
          async (documents, queries, limit) => {
            const memory = createMemoryReadModels(createShopDisk(), shopDocuments);
            await models.clear();
            for (const stores of [memory, models]) await stores.save(documents);
            for (const query of queries) {
              const wanted = await answersOf(memory, query, limit);
              expect(await answersOf(models, query, limit), JSON.stringify(query)).toEqual(wanted);
              const counted = await models.countUpTo(query, limit);
              // In a search, the store may give up before it has counted the documents that contain the words.
              if (counted !== null || query.text === '')
                expect(counted ?? limit + 1).toBe(Math.min(wanted.count, limit + 1));
              if (counted === null) expect(await models.count({ ...query, text: '' })).toBeGreaterThan(limit);
            }
          },
        ),
        { numRuns: RUNS },
      );
    });
  });
}
