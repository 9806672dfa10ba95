import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModelsContract } from '../../engine/read-models/read-models.contract.ts';
import { sampleOrder, sampleProduct, sampleReview, second } from '../../engine/read-models/sample-documents.fixture.ts';
import { executedSql } from '../../runtime/executed-sql.fixture.ts';
import { Database } from '../../runtime/sqlite.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteReadModels } from './sqlite-read-models.ts';

readModelsContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  const open = () => {
    const database = openShopDatabase(join(folder, 'shop.db'));
    return { database, readModels: createSqliteReadModels({ database }) };
  };
  let current = open();
  const close = async () => {
    current.database.close();
  };
  return {
    readModels: current.readModels,
    async reopen() {
      await close();
      current = open();
      return current.readModels;
    },
    async dispose() {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('SQLite read models', () => {
  it('LIST1 every query reads rows in index order, without sorting or a full table scan', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database });
    await models.save(Array.from({ length: 3 }, (_, index) => sampleOrder({ createdAt: second(index) })));
    await models.save(Array.from({ length: 3 }, (_, index) => sampleProduct({ createdAt: second(index) })));
    queries.length = 0;

    for (const sort of ['oldest', 'newest'] as const) {
      const page = { sort, limit: 2 };
      const { next } = await models.listOrders(page);
      await models.listOrders({ ...page, cursor: next ?? '' });
      await models.listOrders({ ...page, status: 'paid' });
      await models.listOrders({ ...page, customer: 'a', status: 'paid' });
      for (const order of ['price', '-price', 'name', undefined] as const) {
        const first = await models.listProducts({ ...page, order, inStock: true });
        await models.listProducts({ ...page, order, cursor: first.next ?? '' });
      }
      await models.listUsers(page);
      await models.listReviews(page);
    }
    await models.productsNamed('Tower One');
    await models.ordersToExpire(second(0), 10);
    await models.ordersWithDueWork(second(0), '', 10);
    await models.mailsToSend(second(0), 10);
    await models.adminIds();
    await models.shippedInADay(second(0), second(1));
    await models.countOrders();
    await models.ordersPlacedBetween([second(0), second(1)]);
    await models.totalPaidSince(second(0));
    await models.countLowStock();

    const selects = queries.filter((sql) => sql.trimStart().startsWith('SELECT'));
    expect(selects).toHaveLength(41);
    for (const sql of selects) {
      const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
      for (const { detail } of plan)
        expect(`${sql}: ${detail}`).toMatch(/: (SEARCH|SCAN) \w+ USING (COVERING )?INDEX /);
    }
    database.close();
  });

  it('FEED2 listing the orders with due work reads only an index', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database });
    await models.save([sampleOrder({ owes: { intents: ['pi_1'], refunds: [] } })]);
    queries.length = 0;
    expect(await models.ordersWithDueWork(second(0), '', 10)).toHaveLength(1);
    const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${queries[0]}`).all();
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH order_documents USING COVERING INDEX orders_owing_steps (<expr>=? AND id>?)',
    ]);
    database.close();
  });

  it('LEDGER2 the ledger reads its orders and balance transactions from an index', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database });
    queries.length = 0;
    const period = { from: second(0), to: second(9), limit: 10 };
    for (const after of [undefined, { at: second(1), id: 'a' }]) {
      await models.ordersWithMoney({ ...period, after });
      await models.balances({ ...period, after });
    }
    await models.balancesOf(['pi_1']);
    for (const sql of [...queries]) {
      const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
      expect(`${sql}: ${plan[0]?.detail}`).toMatch(/: SEARCH \w+ USING INDEX \w+ \(.+\)$/);
    }
    expect(queries.filter((sql) => sql.startsWith('SELECT'))).toHaveLength(5);
    database.close();
  });

  it('FIND1 a search looks up its words in an index, and checks only the documents that may contain them', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database });
    await models.save(Array.from({ length: 30 }, (_, index) => sampleOrder({ createdAt: second(index) })));
    queries.length = 0;
    for (const q of ['x', 'nowhere', 'farida tower']) await models.listOrders({ sort: 'newest', limit: 2, q });
    for (const q of ['a', 'farida']) await models.countOrders(q);
    const selects = queries.filter((sql) => sql.startsWith('SELECT'));
    expect(selects.length).toBeGreaterThan(5);
    for (const sql of selects) {
      const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
      const details = plan
        .map(({ detail }) => detail)
        .filter((detail) => !/json_each|TEMP B-TREE|LIST SUBQUERY/.test(detail));
      for (const detail of details)
        expect(`${sql}: ${detail}`).toMatch(/: (SEARCH \w+ USING |SCAN \w+ VIRTUAL TABLE INDEX (?!0:$))/);
    }
    database.close();
  });

  it('FIND1 a search for a short word finds every matching document, even if more than 100 indexed trigrams start with that word', async () => {
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database });
    const letters = Array.from({ length: 120 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    await models.save(letters.map((letter) => sampleOrder({ name: `qz${letter}` })));
    expect((await models.listOrders({ sort: 'newest', limit: 200, q: 'qz' })).items).toHaveLength(letters.length);
    database.close();
  });

  it('FIND1 LIST1 a text with a null character is found, compared and paged as a whole', async () => {
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database });
    const names = ['Tower', 'Tower\0One', 'Tower\0Two', 'Tower\u0001'];
    const products = names.map((name, index) => sampleProduct({ name, createdAt: second(index) }));
    const reviews = names.map((name, index) => sampleReview({ name, createdAt: second(index) }));
    await models.save([...products, ...reviews]);
    const page = { sort: 'oldest', limit: 1 } as const;
    expect((await models.listProducts({ ...page, limit: 5, q: 'r\0t' })).items).toEqual([products[2]]);
    expect((await models.listProducts({ ...page, limit: 5, q: 'one' })).items).toEqual([products[1]]);
    expect(await models.productsNamed('Tower\0Two')).toEqual([products[2]]);
    expect((await models.listReviews({ ...page, limit: 5, name: 'Tower\0One' })).items).toEqual([reviews[1]]);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await models.listProducts({ ...page, order: 'name', cursor });
      paged.push(...items.map(({ name }) => name));
      cursor = next ?? undefined;
    } while (cursor !== undefined && paged.length < 10);
    expect(paged).toEqual(names);
    await models.save([{ ...sampleProduct(), id: products[1]?.id ?? '', version: 9, name: 'Casing' }]);
    expect((await models.listProducts({ ...page, limit: 5, q: 'one' })).items).toEqual([]);
    database.close();
  });

  it('FIND1 opening a database from a version without a search index makes its documents searchable', async () => {
    const database = new Database(':memory:');
    const orders = [sampleOrder(), sampleOrder({ name: 'Nazrul', createdAt: second(1) })];
    await createSqliteReadModels({ database }).save(orders);
    database.exec('DROP TABLE order_gram_list; DROP TABLE order_grams; DROP TABLE order_searched;');
    const models = createSqliteReadModels({ database });
    expect((await models.listOrders({ sort: 'oldest', limit: 5, q: 'azru' })).items).toEqual([orders[1]]);
    database.close();
  });

  it('FIND1 opening a database from an older version makes its documents searchable by words that its search texts lacked', async () => {
    const database = new Database(':memory:');
    const orders = Array.from({ length: 1_100 }, (_, index) =>
      sampleOrder({ createdAt: second(index), address: `House ${index}, Sylhet` }),
    );
    const product = sampleProduct({ name: 'Full Tower' });
    await createSqliteReadModels({ database }).save([...orders, product]);
    // Simulates a file saved by an older version: its search texts are different, and its orders aren't indexed.
    database.exec(`DROP TABLE search_texts; UPDATE order_documents SET search = 'farida';
      UPDATE product_documents SET search = ''; DROP TABLE order_gram_list; DROP TABLE order_grams; DROP TABLE order_searched;`);
    for (let opened = 0; opened < 2; opened += 1) {
      const models = createSqliteReadModels({ database });
      const { items } = await models.listOrders({ sort: 'oldest', limit: 2_000, q: 'sylhet 1,' });
      expect(items.length).toBe(orders.filter(({ address }) => address.includes('1,')).length);
      expect((await models.listProducts({ sort: 'oldest', limit: 5, q: 'full' })).items).toEqual([product]);
    }
    expect(database.prepare('SELECT version FROM search_texts').all()).toHaveLength(1);
    database.close();
  });
});
