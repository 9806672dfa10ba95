import type { ReviewDocument } from '../../contracts/documents.ts';
import { ERASED, type RecordedEvent } from '../../contracts/events.ts';

/** Folds one event of a review's stream into its document; null stands for a document not made yet (PRJ2). */
export function projectReview(before: ReviewDocument | null, event: RecordedEvent): ReviewDocument | null {
  if (event.type !== 'ReviewPosted') {
    const changes = event.type === 'PersonalDataErased' ? { username: ERASED } : {};
    return before && { ...before, ...changes, version: event.streamversion };
  }
  const { person, personal, name, ratings, description } = event.data;
  return {
    kind: 'review',
    id: event.subject.slice('review-'.length),
    version: event.streamversion,
    // A review that is replaced keeps its place in the lists (LIST1).
    createdAt: before?.createdAt ?? event.time,
    author: person,
    name,
    ratings,
    username: personal.username,
    description,
  };
}
