import type { IntentObject, PaymentMethodObject } from './objects.ts';

/** In Stripe's field names. */
export interface StripeErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  payment_intent?: Partial<IntentObject>;
  payment_method?: PaymentMethodObject;
}

export interface Answer {
  status: number;
  body: object;
}

/** `status` picks the class of error that the SDK throws. */
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

export function invalidRequest(message: string, details: { code?: string; param?: string } = {}): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, ...details });
}

/** 404 in the path, 400 where a parameter names what is not there. */
export function resourceMissing(kind: string, id: string, param?: string): StripeFault {
  const status = param ? 400 : 404;
  const error = { code: 'resource_missing', message: `No such ${kind}: '${id}'`, param: param ?? 'id' };
  return new StripeFault(status, { type: 'invalid_request_error', ...error });
}

export function unexpectedState(message: string, intent: Partial<IntentObject>): StripeFault {
  return new StripeFault(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  });
}

export function cardFault(error: Omit<StripeErrorBody, 'type'>): StripeFault {
  return new StripeFault(402, { type: 'card_error', ...error });
}

export function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
}

export function missingKey(): StripeFault {
  return new StripeFault(401, {
    type: 'invalid_request_error',
    message:
      'You did not provide an API key. You need to provide your API key in the Authorization header, ' +
      "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
  });
}

/** Repeats only the key's kind and last four characters. */
export function wrongKey(key: string): StripeFault {
  const kind = /^(sk|pk|rk)_(test|live)_/.exec(key)?.[0] ?? '';
  const shown = key.length > 12 ? `${kind}****${key.slice(-4)}` : '****';
  return new StripeFault(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${shown}` });
}

export function secretKeyRequired(): StripeFault {
  return new StripeFault(403, {
    type: 'invalid_request_error',
    code: 'secret_key_required',
    message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
  });
}

export function unknownUrl(method: string, path: string): StripeFault {
  return new StripeFault(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}).`,
  });
}

export function serverFault(): StripeFault {
  return new StripeFault(500, { type: 'api_error', message: 'An unknown error occurred.' });
}
