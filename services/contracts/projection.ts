import type { AnyDocument, Documents } from './documents.ts';
import type { RecordedEvent } from './events.ts';
import type { DocumentKind } from './ids.ts';
import type { Views } from './views.ts';

/** Who may see a push: everyone, all admins, one user (by user id). */
export type Audience = 'everyone' | 'admins' | `user:${string}`;

/** A document's kind, and its view; null once the document has left the lists (PRJ5). */
export type PushedView = { [K in keyof Views]: { kind: K; view: Views[K] | null } }[keyof Views];

/** What a shop makes of its events: pure functions that the projector calls. */
export interface Projection {
  /** Folds one event into the document of a stream of the given kind; null before the event that creates it. */
  projectEvent<K extends DocumentKind>(kind: K, before: Documents[K] | null, event: RecordedEvent): Documents[K] | null;
  /** Kinds whose documents hold nothing personal: their events are folded without being opened. */
  readonly bareKinds: ReadonlySet<DocumentKind>;
  /** Who may see a document (LIVE3). */
  audiencesOf(document: AnyDocument): readonly Audience[];
  /** The view of a document as a push carries it. */
  pushedView(document: AnyDocument): PushedView;
}
