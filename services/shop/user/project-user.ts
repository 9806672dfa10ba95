import type { UserDocument } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';

/** What a closed account leaves of its person: nothing. */
const NOBODY = {
  uid: '',
  email: '',
  name: '',
  role: 'customer',
  address: '',
  phone: '',
  education: '',
  social: '',
} as const;

/** Folds one event of a user's stream into that user's document; null stands for a document not made yet (PRJ2). */
export function projectUser(before: UserDocument | null, event: RecordedEvent): UserDocument | null {
  if (event.type === 'UserRegistered') {
    return {
      kind: 'user',
      id: event.data.person,
      version: event.streamversion,
      createdAt: event.time,
      uid: event.data.uid,
      email: event.data.personal.email,
      name: event.data.personal.name,
      role: 'customer',
      address: '',
      phone: '',
      education: '',
      social: '',
    };
  }
  if (before === null) return null;
  const next = { ...before, version: event.streamversion };
  switch (event.type) {
    case 'ProfileChanged':
      return { ...next, ...event.data.personal };
    case 'AdminGranted':
      return { ...next, role: 'admin' };
    case 'AdminRevoked':
      return { ...next, role: 'customer' };
    case 'AccountClosed':
      return { ...next, ...NOBODY, closed: true };
    default:
      return next;
  }
}
