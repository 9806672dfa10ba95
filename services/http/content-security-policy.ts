type Directives = Record<string, string[]>;
/** Whether each provider is real or simulated. */
export type ProviderModes = Readonly<Record<'stripe' | 'firebase', 'demo' | 'live'>>;

const SELF = "'self'";

/**
 * Returns the directives of the Content-Security-Policy. Product images may come from anywhere. If Stripe or Firebase
 * is live, adds the origins listed in that service's documentation.
 */
export function contentSecurityPolicy(mode: ProviderModes): Directives {
  const stripe = mode.stripe === 'live';
  const firebase = mode.firebase === 'live';
  return {
    'default-src': [SELF],
    'base-uri': [SELF],
    'object-src': ["'none'"],
    'form-action': [SELF],
    'frame-ancestors': [SELF],
    'img-src': [SELF, 'data:', 'blob:', 'https:', 'http:'],
    'font-src': [SELF, 'data:'],
    // Mantine sets sizes and positions in inline styles.
    'style-src': [SELF, "'unsafe-inline'"],
    'script-src': [
      SELF,
      ...(stripe ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []),
      ...(firebase ? ['https://apis.google.com'] : []),
    ],
    'script-src-attr': ["'none'"],
    'connect-src': [
      SELF,
      ...(stripe ? ['https://api.stripe.com'] : []),
      ...(firebase ? ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'] : []),
    ],
    'frame-src': [
      SELF,
      ...(stripe ? ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'] : []),
      ...(firebase ? ['https://*.firebaseapp.com', 'https://accounts.google.com'] : []),
    ],
  };
}
