import type { Asked, Client, Person, SeenOrder } from './people.ts';
import type { Reference } from './reference.ts';
import type { ApiAnswer } from './simulated-api.ts';
import type { Providers } from './simulated-shop.ts';
import type { World } from './world.ts';

export interface Site {
  readonly world: World;
  readonly client: Client;
  readonly providers: Providers;
  readonly reference: Reference;
  readonly people: readonly Person[];
  readonly mostProducts: number;
  /** the products that admins have added, by id */
  readonly products: Map<string, SeenProduct>;
  /** all orders that were placed, by id */
  readonly orders: Map<string, SeenOrder & { readonly customer: Person }>;
  /** the names of the actions to leave out (`skipped`) and of those that people have performed (`done`) */
  readonly skipped: ReadonlySet<string>;
  readonly done: string[];
  /** the e-mail addresses of the people to whom admins have tried to grant the admin role */
  readonly madeAdmins: Set<string>;
}

export interface SeenProduct {
  readonly name: string;
  price: number;
  version: number;
}

export type Action = (site: Site, person: Person) => Promise<void>;
export const put = (url: string, body: unknown) => ({ method: 'PUT', url, body }) as const;
export const post = (url: string, body: unknown, key: string) => ({ method: 'POST', url, body, key }) as const;
export const remove = (url: string) => ({ method: 'DELETE', url }) as const;
export const get = (url: string) => ({ method: 'GET', url }) as const;
export const userUrl = ({ email }: Person) => `/users/${encodeURIComponent(email)}`;

/** Sends a request and lets the reference model judge the answer. */
export async function ask(
  { client, reference }: Site,
  person: Person,
  request: Asked['request'],
): Promise<ApiAnswer | null> {
  const expected = reference.expect(person, request);
  const answer = await client.send(person, request, expected.sent);
  expected.answered(answer);
  takeNote(person, answer);
  return answer;
}

/** Sends several requests, which reach the same process within `within` ms, and lets the reference model judge the answers. */
export async function askTogether(
  { client, reference }: Site,
  asked: readonly Asked[],
  within: number,
): Promise<(ApiAnswer | null)[]> {
  const expected = asked.map(({ person, request }) => reference.expect(person, request));
  for (const { sent } of expected) sent();
  const answers = await client.sendTogether(asked, within);
  for (const [index, { person }] of asked.entries()) {
    expected[index]?.answered(answers[index] ?? null);
    takeNote(person, answers[index] ?? null);
  }
  return answers;
}

function takeNote(person: Person, answer: ApiAnswer | null): void {
  if (answer?.status === 401) person.token = null;
  if (answer?.status === 403) person.isAdmin = false;
}

export function noteOrder(site: Site, person: Person, id: string, answer: ApiAnswer | null): void {
  const view = answer?.status === 200 ? (answer.body as Record<string, unknown>) : null;
  const seen = site.orders.get(id);
  if (!view || !seen || typeof view.version !== 'number' || view.version < seen.version) return;
  seen.version = view.version;
  seen.status = statusOf(view);
  if (typeof view.shipment === 'number') seen.shipments = view.shipment;
  if (typeof view.totalPrice === 'number') seen.total = view.totalPrice;
  person.orders.set(id, seen);
}

function statusOf({ cancelledAt, status, paid }: Record<string, unknown>): string {
  if (cancelledAt !== null) return 'cancelled';
  if (status === 'shipped') return 'shipped';
  return paid ? 'paid' : 'unpaid';
}
