import { z } from 'zod';
import { type Deleted, deletedSchema } from '../../contracts/answers.ts';
import { type PackingClaim, packingClaimSchema } from '../../contracts/packing/packing.ts';
import type { UserDocument } from '../../contracts/people/user-document.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { RequestRefused } from '../../http/problem-details.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { orderTarget } from '../order/order-routes.ts';
import type { KeptClaim, PackingClaims } from './packing-claims.ts';

declare module '../../http/dependencies.ts' {
  interface ApiDependencies {
    readonly packing: PackingClaims;
  }
}

type Admins = ReadonlyMap<string, UserDocument>;

/** Returns the users among `ids` who are still admins, keyed by id. A former admin's name is never shown. */
async function adminsAmong({ readModels }: ApiDependencies, ids: readonly string[]): Promise<Admins> {
  const users = await readModels.getMany('user', [...new Set(ids)]);
  return new Map(users.filter(({ role, closed }) => role === 'admin' && !closed).map((user) => [user.id, user]));
}

function claimOf({ clock }: ApiDependencies, { order, userId, until }: KeptClaim, admins: Admins): PackingClaim | null {
  const user = admins.get(userId);
  return user ? { order, by: { id: userId, name: user.name || user.email }, left: Math.max(0, until - clock()) } : null;
}

const listClaims = defineRoute({
  method: 'GET',
  path: '/packing',
  summary: 'Lists the orders that other admins are packing, with the milliseconds until each claim expires',
  access: 'admin',
  answer: { status: 200, schema: z.array(packingClaimSchema) },
  problems: ['packing_unavailable'],
  async serve(shop, { session }) {
    const claims = (await shop.packing.list()).filter(({ userId }) => userId !== session.userId);
    const admins = await adminsAmong(
      shop,
      claims.map(({ userId }) => userId),
    );
    return { body: claims.flatMap((claim) => claimOf(shop, claim, admins) ?? []) };
  },
});

const claimOrder = defineRoute({
  method: 'PUT',
  path: '/packing/:id',
  summary:
    'Claims an order for packing for two minutes, or returns the claim of the admin who is already packing it. A claim does not stop others from shipping the order',
  access: 'admin',
  target: orderTarget,
  answer: { status: 200, schema: packingClaimSchema },
  problems: ['too_many_claims', 'packing_unavailable'],
  async serve(shop, { session, params }) {
    const me = await shop.readModels.get('user', session.userId);
    const packer = { id: session.userId, name: me?.name || session.email };
    const claim = async () => {
      const claimed = await shop.packing.claim(params.id, packer);
      if (claimed === null) throw new RequestRefused('too_many_claims');
      return claimed;
    };
    let claimed = await claim();
    if (claimed.userId !== session.userId) {
      const others = claimOf(shop, claimed, await adminsAmong(shop, [claimed.userId]));
      if (others) return { body: others };
      await shop.packing.release(params.id, claimed.userId);
      claimed = await claim();
    }
    return { body: { order: params.id, by: packer, left: Math.max(0, claimed.until - shop.clock()) } };
  },
});

const releaseOrder = defineRoute({
  method: 'DELETE',
  path: '/packing/:id',
  summary: "Releases the caller's own packing claim on an order",
  access: 'admin',
  target: orderTarget,
  answer: { status: 200, schema: deletedSchema },
  problems: ['packing_unavailable'],
  async serve(shop, { session, params }) {
    const released = await shop.packing.release(params.id, session.userId);
    const body: Deleted = { acknowledged: true, deletedCount: released ? 1 : 0 };
    return { body };
  },
});

export const packingRoutes: readonly Route[] = [listClaims, claimOrder, releaseOrder];
