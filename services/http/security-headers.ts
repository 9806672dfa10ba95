import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { contentSecurityPolicy, type ProviderModes } from './content-security-policy.ts';

/**
 * Returns the security headers of every response. They are computed once, because running helmet's dozen handlers for
 * each request took a tenth of the time that the server spends on a short response.
 */
export function securityHeaders(modes: ProviderModes): Map<string, string> {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy(modes) },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: modes.firebase === 'live',
  })(sample.req, sample, () => {});
  return new Map(Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)]));
}
