import type { UserDocument } from '../../contracts/people/user-document.ts';
import type { UserView } from '../../contracts/people/user-view.ts';

// The fields are listed one by one, so that no internal field leaks out (LIVE3).

export function userView(user: UserDocument): UserView {
  return {
    _id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    address: user.address,
    phone: user.phone,
    education: user.education,
    social: user.social,
    registeredAt: user.createdAt,
    version: user.version,
  };
}
