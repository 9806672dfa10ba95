import type { AnyDocument, Documents } from '../contracts/documents.ts';
import type { EventType, RecordedEvent } from '../contracts/events.ts';
import type { DocumentKind } from '../contracts/ids.ts';
import type { Audience, Projection } from '../contracts/projection.ts';
import { projectBalance } from './ledger/balance.ts';
import { projectMail } from './mail/project-mail.ts';
import { projectOrder } from './order/project-order.ts';
import { projectUser } from './people/project-user.ts';
import { projectProduct } from './product/project-product.ts';
import { projectReview } from './review/review.ts';
import { pushedView } from './views.ts';

type Fold<K extends DocumentKind> = (before: Documents[K] | null, event: RecordedEvent) => Documents[K] | null;

const FOLDS: { readonly [K in DocumentKind]: Fold<K> } = {
  order: projectOrder,
  product: projectProduct,
  user: projectUser,
  review: projectReview,
  mail: projectMail,
  balance: projectBalance,
};

/** Everyone may see products and reviews. Only the person concerned and admins may see an order or a user (LIVE3). */
function audiencesOf(document: AnyDocument): readonly Audience[] {
  switch (document.kind) {
    case 'product':
    case 'review':
      return ['everyone'];
    case 'order':
      return [`user:${document.customer}`, 'admins'];
    case 'user':
      return [`user:${document.id}`, 'admins'];
    case 'mail':
    case 'balance':
      return [];
  }
}

export const shopProjection: Projection = {
  projectEvent: (kind, before, event) => FOLDS[kind](before, event),
  bareKinds: new Set<DocumentKind>(['product', 'mail', 'balance']),
  pacedEvents: new Set<EventType>(['StockReduced', 'StockReturned', 'StockAdjusted']),
  audiencesOf,
  pushedView,
};
