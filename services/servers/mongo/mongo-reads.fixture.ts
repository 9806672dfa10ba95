import type { Db } from 'mongodb';

/**
 * Wraps the database. When a method of a collection is called, `intercept` chooses the collection on which the method
 * runs.
 */
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

/** Wraps the database. The read methods passed to lag() find no documents, as if none were durable yet. */
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

/** Returns a wrapper around the database, and a list that records each call of a `find` method on its collections. */
export function withCountedReads(database: Db): { db: Db; reads: string[] } {
  const reads: string[] = [];
  const db = intercepted(database, (method, target) => {
    if (method.startsWith('find')) reads.push(method);
    return target;
  });
  return { db, reads };
}
