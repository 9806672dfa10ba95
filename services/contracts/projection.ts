import type { AnyDocument, Documents } from './documents.ts';
import type { EventType, RecordedEvent } from './events.ts';
import type { DocumentKind } from './ids.ts';
import type { ViewKind, Views } from './views.ts';

/** Who may see a push. A user id follows `user:`. */
export type Audience = 'everyone' | 'admins' | `user:${string}`;

/** `view` is null once the document has left the lists (PRJ5). */
export type PushedView = { [K in DocumentKind & ViewKind]: { kind: K; view: Views[K] | null } }[DocumentKind &
  ViewKind];

/** Tells the projector how to fold a shop's events into documents, and whom to push them to. All functions are pure. */
export interface Projection {
  /** Folds one event into a document, which is null before the event that creates it. */
  projectEvent<K extends DocumentKind>(kind: K, before: Documents[K] | null, event: RecordedEvent): Documents[K] | null;
  /** Kinds whose documents contain no personal data, so their events are folded without opening the sealed fields. */
  readonly bareKinds: ReadonlySet<DocumentKind>;
  /** Events that arrive in quick succession, such as stock changes. Only the last push of a burst matters. */
  readonly pacedEvents: ReadonlySet<EventType>;
  audiencesOf(document: AnyDocument): readonly Audience[];
  /** Returns null for a document that is never pushed. */
  pushedView(document: AnyDocument): PushedView | null;
}
