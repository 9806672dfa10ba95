import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { isLoopback } from '../runtime/own-host.ts';

/**
 * Whether a request comes from whoever runs the shop: from the machine itself, or with METRICS_TOKEN as its bearer. An address
 * counts only where each proxy that forwarded the request is a trusted one: any other could be told any address.
 */
export function isOperator(request: Request, token: string | null): boolean {
  const forwarded = request.get('x-forwarded-for')?.split(',').length ?? 0;
  const trusted: unknown = request.app.get('trust proxy');
  const unknownProxy = forwarded > (typeof trusted === 'number' ? trusted : 0);
  if (!unknownProxy && isLoopback(request.ip ?? '')) return true;
  const [scheme, given] = request.get('authorization')?.split(' ') ?? [];
  return token !== null && scheme?.toLowerCase() === 'bearer' && sameText(given ?? '', token);
}

function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
