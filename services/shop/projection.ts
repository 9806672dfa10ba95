import type { AnyDocument, Documents } from '../contracts/documents.ts';
import type { EventType, RecordedEvent } from '../contracts/events.ts';
import type { DocumentKind } from '../contracts/ids.ts';
import type { Audience, Projection, PushedView } from '../engine/projector/projection.ts';
import { projectBalance } from './ledger/balance.ts';
import { projectMail } from './mail/project-mail.ts';
import { orderView } from './order/order-view.ts';
import { projectOrder } from './order/project-order.ts';
import { projectUser } from './people/project-user.ts';
import { userView } from './people/user-view.ts';
import { productView } from './product/product-view.ts';
import { projectProduct } from './product/project-product.ts';
import { projectReview } from './review/review.ts';
import { reviewView } from './review/review-view.ts';

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

/**
 * Returns a document's kind and view in the form that is sent in a push. The view is null if the document is no longer
 * in any list (PRJ5). Returns null for the documents of e-mails and balance transactions, which are never pushed.
 */
function pushedView(document: AnyDocument): PushedView | null {
  switch (document.kind) {
    case 'product':
      return { kind: 'product', view: document.removed ? null : productView(document) };
    case 'order':
      return { kind: 'order', view: document.status === 'cancelled' ? null : orderView(document) };
    case 'user':
      return { kind: 'user', view: document.closed ? null : userView(document) };
    case 'review':
      return { kind: 'review', view: reviewView(document) };
    case 'mail':
    case 'balance':
      return null;
  }
}

export const shopProjection: Projection = {
  projectEvent: (kind, before, event) => FOLDS[kind](before, event),
  bareKinds: new Set<DocumentKind>(['product', 'mail', 'balance']),
  pacedEvents: new Set<EventType>(['StockReduced', 'StockReturned', 'StockAdjusted']),
  audiencesOf,
  pushedView,
};
