import type { RequestHandler, Response } from 'express';

/** Gives each request an id of our own making, answered as `X-Request-Id`: it is the correlation id of its events. */
export function giveRequestIds(newId: () => string): RequestHandler {
  return (_request, response, next) => {
    const id = newId();
    response.locals.requestId = id;
    response.set('X-Request-Id', id);
    next();
  };
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId);
}

/** Notes which row of the route table serves, for log and metrics. */
export function noteRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = path;
    next();
  };
}

/** The path of the row that serves, as the table writes it; `other` where none does. */
export function routeOf(response: Response): string {
  return typeof response.locals.route === 'string' ? response.locals.route : 'other';
}
