import type { RecordedEvent } from '../../contracts/events.ts';
import type { UserDocument } from '../../contracts/people/user-document.ts';

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

/** Folds one event into a user's document (PRJ2). */
export function projectUser(before: UserDocument | null, event: RecordedEvent): UserDocument | null {
  if (event.type === 'UserRegistered') {
    const { person: userId, uid, personal } = event.data;
    const { streamversion: version, time: createdAt } = event;
    return { kind: 'user', id: userId, version, createdAt, ...NOBODY, uid, ...personal };
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
