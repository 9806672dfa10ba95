import { z } from 'zod';
import type { Documents } from '../contracts/documents.ts';
import { type DocumentKind, idSchema } from '../contracts/ids.ts';
import { currentDocument } from '../engine/projector/current-document.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Found } from './route.ts';

const idPath = z.object({ id: idSchema });

/**
 * Returns a target that looks up the document whose id is in the path (`/:id`). The document reflects all events in its
 * stream (READ1). `userIdOf` returns its owner's user id; a document without an owner needs none.
 */
export function documentTarget<K extends DocumentKind>(
  kind: K,
  userIdOf: (document: Documents[K]) => string | null = () => null,
) {
  return {
    in: 'path',
    params: idPath,
    async find(shop: ApiDependencies, { id }: z.infer<typeof idPath>): Promise<Found<Documents[K]> | null> {
      const document = await currentDocument(shop, kind, id);
      return document && { userId: userIdOf(document), document };
    },
  } as const;
}
