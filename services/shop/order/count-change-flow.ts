import { doneOrRefused } from '../../http/answers.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { commandMeta } from '../../http/route.ts';
import { allowanceDecider } from './decide-allowance.ts';

/**
 * Counts a change against the user's allowance. Call this before executing the command that makes the change. Without a
 * limit, a user could change an order or a profile indefinitely, and each change lengthens a stream that is folded from
 * its beginning (CMD8). @throws RequestRefused 429
 */
export async function countChange(
  shop: ApiDependencies,
  request: { readonly requestId: string; readonly session: { readonly userId: string } },
): Promise<void> {
  const meta = commandMeta(shop, request, 'count-change');
  const command = { type: 'CountChange', at: meta.time } as const;
  doneOrRefused(await shop.handler.execute(allowanceDecider, request.session.userId, command, meta));
}
