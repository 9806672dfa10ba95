import { z } from 'zod';
import type { Documents } from '../contracts/documents.ts';
import { type DocumentKind, idSchema } from '../contracts/ids.ts';
import { emailSchema } from '../contracts/request-fields.ts';
import { currentDocument } from '../engine/projector/current-document.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Found } from './route.ts';

const idPath = z.object({ id: idSchema });
export const emailPath = z.object({ email: emailSchema });

type IdPath = z.infer<typeof idPath>;
type EmailPath = z.infer<typeof emailPath>;

/**
 * Returns a target that looks up the document whose id is in the path (`/:id`). The document reflects all events in its
 * stream (READ1).
 */
function byId<K extends DocumentKind>(kind: K, userIdOf: (document: Documents[K]) => string | null) {
  return {
    in: 'path',
    params: idPath,
    async find(shop: ApiDependencies, { id }: IdPath): Promise<Found<Documents[K]> | null> {
      const document = await currentDocument(shop, kind, id);
      return document && { userId: userIdOf(document), document };
    },
  } as const;
}

export const orderTarget = byId('order', (order) => order.customer);
export const balanceTarget = byId('balance', () => null);
export const reviewTarget = byId('review', () => null);
/** Also finds removed products. */
export const productTarget = byId('product', () => null);

/**
 * Finds the user identified by `/:email`. Returns a user id even if the user doesn't exist, so that non-admins get the same
 * refusal either way and can't find out which e-mail addresses are registered.
 */
export const userTarget = {
  in: 'path',
  params: emailPath,
  async find(shop: ApiDependencies, { email }: EmailPath): Promise<Found<Documents['user']>> {
    const userId = await shop.accounts.idOf(email);
    return { userId, document: await currentDocument(shop, 'user', userId) };
  },
} as const;
