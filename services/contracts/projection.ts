import type { AnyDocument, Documents } from './documents.ts';
import type { EventType, RecordedEvent } from './events.ts';
import type { DocumentKind } from './ids.ts';
import type { ViewKind, Views } from './views.ts';

/** Who may see a push; `user:` takes a user id. */
export type Audience = 'everyone' | 'admins' | `user:${string}`;

/** `view` is null once the document has left the lists (PRJ5). */
export type PushedView = { [K in DocumentKind & ViewKind]: { kind: K; view: Views[K] | null } }[DocumentKind &
  ViewKind];

/** What the projector makes of a shop's events: pure functions. */
export interface Projection {
  /** Folds one event into a document, which is null before the event that creates it. */
  projectEvent<K extends DocumentKind>(kind: K, before: Documents[K] | null, event: RecordedEvent): Documents[K] | null;
  /** Kinds whose documents hold no personal data, so their events are folded unopened. */
  readonly bareKinds: ReadonlySet<DocumentKind>;
  /** Events that come in quick succession, and of whose pushes only the last matters: changes of stock. */
  readonly pacedEvents: ReadonlySet<EventType>;
  audiencesOf(document: AnyDocument): readonly Audience[];
  /** null for a document that nobody is pushed */
  pushedView(document: AnyDocument): PushedView | null;
}
