import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { EventType, RecordedEvent } from '../../contracts/events.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import type { ViewKind, Views } from '../../contracts/views.ts';

/** Who may see a push. `user:` is followed by the id of the only user who may see it. */
export type Audience = 'everyone' | 'admins' | `user:${string}`;

/** `view` is null once the document no longer appears in lists (PRJ5). */
export type PushedView = { [K in DocumentKind & ViewKind]: { kind: K; view: Views[K] | null } }[DocumentKind &
  ViewKind];

/** Tells the projector how to fold a shop's events into documents, and who may receive the pushes. All functions are pure. */
export interface Projection {
  /** Folds one event into a document. `before` is null for the event that creates the document. */
  projectEvent<K extends DocumentKind>(kind: K, before: Documents[K] | null, event: RecordedEvent): Documents[K] | null;
  /**
   * Kinds of document that contain no personal data. Events about these documents are folded without opening sealed
   * fields.
   */
  readonly bareKinds: ReadonlySet<DocumentKind>;
  /** Event types that can arrive in bursts, such as stock changes. Only the last push in a burst matters. */
  readonly pacedEvents: ReadonlySet<EventType>;
  audiencesOf(document: AnyDocument): readonly Audience[];
  /** Returns the view to push for a document, or null if documents of its kind are never pushed. */
  pushedView(document: AnyDocument): PushedView | null;
}
