import { type ViewKind, type Views, viewSchemas } from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { type ShopError, unreadable } from '../api/problem.ts';
import type { ShopMeta, ShopRequest } from '../api/shop-api.ts';
import { type FetchedRows, keyOf } from './apply-push.ts';

type MaybePromise<T> = T | PromiseLike<T>;
export type BaseQuery = (
  request: ShopRequest,
) => MaybePromise<{ data?: unknown; error?: ShopError | undefined; meta?: ShopMeta | undefined }>;
export type FetchAnswer<T> = { data: T; error?: undefined } | { error: ShopError; data?: undefined };

/**
 * Fetches page after page from `path` on until as many rows are there as are wanted by then, or there are no more; at
 * least one page.
 */
export async function fetchRows<K extends ViewKind>(
  kind: K,
  path: string,
  wanted: () => number,
  baseQuery: BaseQuery,
): Promise<FetchAnswer<FetchedRows<Views[K]>>> {
  const schema = z.array(viewSchemas[kind]) as unknown as z.ZodMiniType<Views[K][]>;
  const items: Views[K][] = [];
  let next: string | null = path;
  while (next !== null && (items.length < wanted() || items.length === 0)) {
    const answer: Awaited<ReturnType<BaseQuery>> = await baseQuery({ path: next });
    if (answer.error !== undefined) return { error: answer.error };
    const page = schema.safeParse(answer.data);
    if (!page.success) return { error: unreadable(200) };
    items.push(...page.data);
    next = page.data.length === 0 ? null : (answer.meta?.next ?? null);
  }
  const last = items.at(-1);
  return { data: { items, next, end: next === null || last === undefined ? null : keyOf(last) } };
}
