import type { UserDocument } from '../../contracts/documents.ts';
import type { UserView } from '../../contracts/views.ts';

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
