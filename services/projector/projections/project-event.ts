import type { RecordedEvent } from '../../contracts/events.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import type { AnyDocument, Documents } from '../../read-models/documents.ts';
import { projectOrder } from './project-order.ts';
import { projectProduct } from './project-product.ts';
import { projectReview } from './project-review.ts';
import { projectUser } from './project-user.ts';

type Projection<K extends DocumentKind> = (before: Documents[K] | null, event: RecordedEvent) => Documents[K] | null;

/** The pure fold of each kind of stream. */
const PROJECTIONS: { readonly [K in DocumentKind]: Projection<K> } = {
  order: projectOrder,
  product: projectProduct,
  user: projectUser,
  review: projectReview,
};

/** Kinds whose documents hold nothing personal: their events are folded without opening it. */
export const BARE_KINDS: ReadonlySet<DocumentKind> = new Set<DocumentKind>(['product']);

/** Folds one event into the document of a stream of the given kind. */
export function projectEvent<K extends DocumentKind>(
  kind: K,
  before: Documents[K] | null,
  event: RecordedEvent,
): Documents[K] | null {
  return PROJECTIONS[kind](before, event);
}

/** Who may see a document: the catalogue everyone; an order or a user the person concerned, and admins (LIVE3). */
export function audiencesOf(document: AnyDocument): readonly ('everyone' | 'admins' | `user:${string}`)[] {
  switch (document.kind) {
    case 'product':
    case 'review':
      return ['everyone'];
    case 'order':
      return [`user:${document.customer}`, 'admins'];
    case 'user':
      return [`user:${document.id}`, 'admins'];
  }
}
