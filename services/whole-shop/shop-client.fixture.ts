import { z } from 'zod';
import { createdSchema } from '../contracts/answers.ts';
import { orderViewSchema } from '../contracts/order/order-view.ts';
import { userSavedSchema } from '../contracts/people/user-answers.ts';
import type { NewProduct } from '../contracts/product/product-form.ts';
import { productViewSchema } from '../contracts/product/product-view.ts';
import { plainIdToken } from './plain-identity.fixture.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A signed-in user of a shop. */
export interface Person {
  readonly email: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Sends one HTTP request, with `body` as JSON if there is one. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { readonly token?: string; readonly body?: unknown; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { token, body, headers } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
}

const CAUGHT_UP_WITHIN_MS = 60_000;
const POLL_MS = 20;
const readinessSchema = z.object({
  checks: z.object({ projectionLagEvents: z.number().optional(), projectionWaitingEvents: z.number().optional() }),
});

/** Waits until the projector has handled every event and no event is waiting for a retry. @throws Error after a minute */
export async function caughtUp(url: string): Promise<void> {
  const deadline = performance.now() + CAUGHT_UP_WITHIN_MS;
  for (;;) {
    const { body } = await call(url, 'GET', '/readyz');
    const { checks } = readinessSchema.parse(body);
    if (checks.projectionLagEvents === 0 && checks.projectionWaitingEvents === 0) return;
    if (performance.now() > deadline) throw new Error(`Projections have not caught up: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Signs a user in with an ID token, using the same request that the web client sends first after every sign-in. */
export async function signIn(url: string, email: string, idToken = plainIdToken(email)): Promise<Person> {
  const answer = await call(url, 'PUT', `/users/${email}`, { token: idToken, body: { email } });
  if (answer.status !== 200)
    throw new Error(`${email} could not sign in: ${answer.status} ${JSON.stringify(answer.body)}`);
  const { token } = userSavedSchema.parse(answer.body);
  return {
    email,
    token,
    call: (method, path, body, headers = {}) => call(url, method, path, { token, body, headers }),
  };
}

/** Signs in with a password against the shop's own identity emulator, and returns the ID token. */
export async function passwordIdToken(url: string, email: string, password: string): Promise<string> {
  const path = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo';
  const answer = await call(url, 'POST', path, { body: { email, password, returnSecureToken: true } });
  return z.object({ idToken: z.string() }).parse(answer.body).idToken;
}

/** Adds a product as an admin and returns its id. */
export async function addProduct(admin: Person, change: Partial<NewProduct> = {}): Promise<string> {
  const product = { name: 'Tower One', price: 1000, quantity: 100, minorder: 1, ...change };
  const answer = await admin.call('POST', '/products', product);
  if (answer.status !== 201)
    throw new Error(`The product was not added: ${answer.status} ${JSON.stringify(answer.body)}`);
  return createdSchema.parse(answer.body).insertedId;
}

/** Returns the body of a request that places an order. */
export function orderOf(person: Person, productId: string, quantity = 1) {
  return {
    name: person.email.split('@')[0],
    email: person.email,
    phone: '01700000000',
    address: 'House 7, Road 3, Dhanmondi, Dhaka',
    product: 'Tower One',
    productId,
    quantity,
  };
}

/** Calls `work` with each index from 0 to count - 1, with at most `width` calls in flight. */
export async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}

export const orderList = (answer: Answer) => z.array(orderViewSchema).parse(answer.body);
export const productOf = (answer: Answer) => productViewSchema.parse(answer.body);
