type Directives = Record<string, string[]>;

const SELF = "'self'";

/**
 * What pages of this origin may load. Product images may stand anywhere on the web. Live mode lets in what Stripe and
 * Firebase ask for in their own documentation; demo mode keeps everything on this origin.
 */
export function contentSecurityPolicy(mode: { stripe: 'demo' | 'live'; firebase: 'demo' | 'live' }): Directives {
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
    // The component library sets sizes and positions as inline styles.
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
