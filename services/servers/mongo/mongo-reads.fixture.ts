import type { Db } from 'mongodb';

/** A database whose collections are asked through `intercept`, by the name of each method. */
function intercepted(database: Db, intercept: (method: string, collection: object) => object): Db {
  const bound = <T extends object>(target: T, key: string | symbol) => {
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  const collection = (name: string) =>
    new Proxy<object>(database.collection(name), {
      get: (target, key) => bound(intercept(String(key), target), key),
    });
  return new Proxy(database, { get: (target, key) => (key === 'collection' ? collection : bound(target, key)) });
}

/** The database as a reader sees it for whom nothing has become durable yet, by the methods given to `lag`. */
export function withLaggingReads(database: Db): { db: Db; lag(methods: readonly string[]): void } {
  let lagging: readonly string[] = [];
  const db = intercepted(database, (method, target) =>
    lagging.includes(method) ? database.collection('none') : target,
  );
  return {
    db,
    lag(methods) {
      lagging = methods;
    },
  };
}

/** The database, and which reads of its collections were asked for. */
export function withCountedReads(database: Db): { db: Db; reads: string[] } {
  const reads: string[] = [];
  const db = intercepted(database, (method, target) => {
    if (method.startsWith('find')) reads.push(method);
    return target;
  });
  return { db, reads };
}
