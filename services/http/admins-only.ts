import type { RequestHandler } from 'express';
import { type Authenticator, bearerOf } from './authenticate.ts';
import { RequestRefused, unauthenticated } from './problem-details.ts';

/** Returns a handler that lets only requests with an admin's access token pass (AUTH2). @throws RequestRefused 401, 403 */
export function adminsOnly(authenticator: Pick<Authenticator, 'caller'>): RequestHandler {
  return async (request, _response, next) => {
    const caller = await authenticator.caller(bearerOf(request.get('authorization')));
    if (caller === null) throw unauthenticated();
    if (caller.role !== 'admin') throw new RequestRefused('forbidden');
    next();
  };
}
