import type { StripeErrorBody } from './objects.ts';

type Details = Omit<StripeErrorBody, 'type' | 'message'>;

export interface Answer {
  status: number;
  body: object;
}

/** `status` determines which class of error the SDK throws. */
export class StripeFault extends Error {
  readonly status: number;
  readonly error: StripeErrorBody;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error.code ? { ...error, doc_url: docUrl(error.code) } : error;
  }

  toAnswer(): Answer {
    return { status: this.status, body: { error: this.error } };
  }
}

function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
}

export function invalidRequest(message: string, details: Details = {}, status = 400): StripeFault {
  return new StripeFault(status, { type: 'invalid_request_error', message, ...details });
}

export function cardFault(message: string, details: Details): StripeFault {
  return new StripeFault(402, { type: 'card_error', message, ...details });
}

export function rateLimitFault(): StripeFault {
  return invalidRequest('Request rate limit exceeded.', { code: 'rate_limit' }, 429);
}

export function serverFault(): StripeFault {
  return new StripeFault(500, { type: 'api_error', message: 'An unknown error occurred.' });
}
