import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declareDocuments, everyDocument } from '../../contracts/document-queries.ts';
import { readModelsContract } from '../../engine/read-models/read-models.contract.ts';
import { sampleOrder, sampleProduct, sampleReview, second } from '../../engine/read-models/sample-documents.fixture.ts';
import { executedSql } from '../../runtime/executed-sql.fixture.ts';
import { Database } from '../../runtime/sqlite.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { countOrders } from '../../shop/order/count-orders-flow.ts';
import { orderList, ordersPaid, ordersWithDueWork } from '../../shop/order/order-documents.ts';
import { productList, productsNamed } from '../../shop/product/product-documents.ts';
import { shopQueriesContract } from '../../shop/shop-queries.contract.ts';
import { ALL_QUERIES, askingShop } from '../../shop/shop-read-models.fixture.ts';
import { openShopDatabase } from './sqlite-database.ts';
import { createSqliteReadModels } from './sqlite-read-models.ts';

const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-models-'));
  const open = () => {
    const database = openShopDatabase(join(folder, 'shop.db'));
    return { database, readModels: createSqliteReadModels({ database, declarations: shopDocuments }) };
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
};

readModelsContract('SQLite', start);
shopQueriesContract('SQLite', start);

describe('SQLite read models', () => {
  it('LIST1 FEED2 LEDGER2 every query reads the rows of its index in order, without sorting or a full table scan', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database, declarations: shopDocuments });
    await models.save(Array.from({ length: 3 }, (_, index) => sampleOrder({ createdAt: second(index) })));
    queries.length = 0;
    for (const query of ALL_QUERIES) {
      await models.find(query);
      await models.find({ ...query, descending: true }, { after: { key: second(0), id: 'a' }, limit: 2 });
      await models.findIds(query);
      await models.count(query);
    }
    await models.sum(ordersPaid(second(0)), 'keptPoisha');
    await models.countByValue('order');

    const selects = queries.filter((sql) => sql.trimStart().startsWith('SELECT'));
    expect(selects.length).toBeGreaterThan(60);
    for (const sql of selects) {
      const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
      const details = plan.map(({ detail }) => detail).filter((detail) => !/json_each|LIST SUBQUERY/.test(detail));
      // The transactions about several payment intents are sorted after they have been found.
      if (/ IN \(/.test(sql) && details.at(-1) === 'USE TEMP B-TREE FOR ORDER BY') details.pop();
      for (const detail of details) expect(`${sql}: ${detail}`).toMatch(/: (SEARCH|SCAN) \w+ USING (COVERING )?INDEX /);
    }
    database.close();
  });

  it('FEED2 RATE1 the orders with due work, the ids of all products and the money kept are read from an index alone', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database, declarations: shopDocuments });
    queries.length = 0;
    await models.findIds(ordersWithDueWork(second(0)));
    await models.findIds(productList({ sort: 'newest' }));
    await models.sum(ordersPaid(second(0)), 'keptPoisha');
    expect(queries).toHaveLength(3);
    for (const sql of [...queries]) {
      const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all();
      expect(`${sql}: ${plan.map(({ detail }) => detail).join()}`).toMatch(/: SEARCH \w+ USING COVERING INDEX [^,]*$/);
    }
    database.close();
  });

  it('PRJ3 when a declaration has changed, its columns, indexes and search texts are made again from the stored documents', async () => {
    const database = new Database(':memory:');
    const saved = Array.from({ length: 1_100 }, (_, index) => sampleOrder({ createdAt: second(index) }));
    const product = sampleProduct();
    await createSqliteReadModels({ database, declarations: shopDocuments }).save([...saved, product]);
    const orders = declareDocuments('order', {
      version: shopDocuments.order.version + 1,
      columns: {
        ...shopDocuments.order.columns,
        reversed: ({ createdAt, id }) => `${9 - Number(createdAt.at(-5))}${id}`,
      },
      text: () => 'renewed',
      indexes: [['reversed']],
    });
    for (let opened = 0; opened < 2; opened += 1) {
      const models = createSqliteReadModels({ database, declarations: { ...shopDocuments, order: orders } });
      expect(await models.find(orders.query({ by: 'reversed', text: 'new' }))).toHaveLength(saved.length);
      expect(await models.count(orders.query({ by: 'reversed', text: 'farida' }))).toBe(0);
      expect(await models.find(everyDocument('product'))).toEqual([product]);
    }
    const indexes = database
      .prepare<[], { name: string }>("SELECT name FROM pragma_index_list('order_documents')")
      .all();
    expect(indexes.map(({ name }) => name)).toEqual(['order_by_reversed', 'sqlite_autoindex_order_documents_1']);
    database.close();
  });

  it('FIND1 a search looks up its words in an index, and checks only the documents that may contain them', async () => {
    const queries = executedSql();
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database, declarations: shopDocuments });
    await models.save(Array.from({ length: 30 }, (_, index) => sampleOrder({ createdAt: second(index) })));
    queries.length = 0;
    for (const q of ['x', 'nowhere', 'farida tower']) await models.page(orderList({ sort: 'newest', q }), { limit: 2 });
    for (const q of ['a', 'farida']) await countOrders(models, q);
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
    const models = createSqliteReadModels({ database, declarations: shopDocuments });
    const letters = Array.from({ length: 120 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    await models.save(letters.map((letter) => sampleOrder({ name: `qz${letter}` })));
    expect(await models.find(orderList({ sort: 'newest', q: 'qz' }))).toHaveLength(letters.length);
    database.close();
  });

  it('FIND1 LIST1 a text with a null character is found, compared and paged as a whole', async () => {
    const database = new Database(':memory:');
    const models = createSqliteReadModels({ database, declarations: shopDocuments });
    const names = ['Tower', 'Tower\0One', 'Tower\0Two', 'Tower\u0001'];
    const products = names.map((name, index) => sampleProduct({ name, createdAt: second(index) }));
    const reviews = names.map((name, index) => sampleReview({ name, createdAt: second(index) }));
    await models.save([...products, ...reviews]);
    const { productList: listed, reviewList: reviewed } = askingShop(models);
    const page = { sort: 'oldest', limit: 1 } as const;
    expect((await listed({ ...page, limit: 5, q: 'r\0t' })).items).toEqual([products[2]]);
    expect((await listed({ ...page, limit: 5, q: 'one' })).items).toEqual([products[1]]);
    expect(await models.find(productsNamed('Tower\0Two'))).toEqual([products[2]]);
    expect((await reviewed({ ...page, limit: 5, name: 'Tower\0One' })).items).toEqual([reviews[1]]);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await listed({ ...page, order: 'name', cursor });
      paged.push(...items.map(({ name }) => name));
      cursor = next ?? undefined;
    } while (cursor !== undefined && paged.length < 10);
    expect(paged).toEqual(names);
    await models.save([{ ...sampleProduct(), id: products[1]?.id ?? '', version: 9, name: 'Casing' }]);
    expect((await listed({ ...page, limit: 5, q: 'one' })).items).toEqual([]);
    database.close();
  });
});
