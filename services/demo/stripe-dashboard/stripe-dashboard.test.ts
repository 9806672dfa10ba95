import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { adminsOnly } from '../../http/admins-only.ts';
import { createAuthenticator } from '../../http/authenticate.ts';
import { testShops } from '../../http/test-shop.fixture.ts';
import { type Running, SECRET_KEY, startSimulator } from '../stripe/simulator.fixture.ts';
import { createStripeDashboard } from './stripe-dashboard.ts';

const open = testShops();
let running: Running;
let shopUrl: string;
let tokens: Record<'admin' | 'shopper', string>;

/** Starts a shop with the dashboard of a simulator, and signs an admin and a shopper in. */
beforeEach(async () => {
  running = await startSimulator();
  const simulator = running;
  onTestFinished(() => simulator.close());
  const shop = await open((dependencies) => ({
    edge: [
      createStripeDashboard({
        simulatorUrl: `http://127.0.0.1:${simulator.port}`,
        secretKey: SECRET_KEY,
        adminsOnly: adminsOnly(createAuthenticator(dependencies, { trustsUnverifiedEmails: true })),
      }),
    ],
  }));
  shopUrl = shop.url;
  tokens = { admin: (await shop.admin()).token, shopper: (await shop.signIn('rumi@shop.test')).token };
});

async function visit(path: string, token?: string, form?: Record<string, string>): Promise<Response> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const post = form && { method: 'POST', body: new URLSearchParams(form) };
  return fetch(`${shopUrl}/demo-stripe/dashboard${path}`, { headers, ...post });
}
const list = async (query = '') => (await visit(`/payments${query}`, tokens.admin)).text();
const act = (path: string, form: Record<string, string>) => visit(path, tokens.admin, form);

async function pay(payment_method = 'pm_card_visa', orderId = 'o1') {
  const params = { amount: 125_000, currency: 'bdt', confirm: true, payment_method, metadata: { orderId } };
  return running.stripe.paymentIntents.create(params);
}

describe("the local Stripe's dashboard", () => {
  it("only the shop's admins can see payments or act on them, and the page itself contains none", async () => {
    const { latest_charge } = await pay();
    const page = await visit('');
    expect(page.status).toBe(200);
    const text = (await page.text()) + (await (await visit('/script.js')).text());
    expect(text).not.toContain(SECRET_KEY);
    expect(text).not.toContain(String(latest_charge));
    const form = { amount: '100', reason: 'duplicate' };
    const path = `/charges/${latest_charge}/refunds`;
    for (const [token, status] of [
      [undefined, 401],
      ['forged', 401],
      [tokens.shopper, 403],
    ] as const) {
      expect((await visit('/payments', token)).status).toBe(status);
      expect((await visit(path, token, form)).status).toBe(status);
    }
    expect((await running.stripe.refunds.list()).data).toEqual([]);
    expect((await act(path, form)).status).toBe(200);
    expect((await running.stripe.refunds.list()).data).toMatchObject([{ amount: 10_000, reason: 'duplicate' }]);
  });

  it('an admin can refund a part of a payment, dispute the rest and decide the dispute', async () => {
    const { latest_charge: charge } = await pay();
    await act(`/charges/${charge}/refunds`, { amount: '250.50', reason: 'requested_by_customer' });
    await act(`/charges/${charge}/disputes`, { amount: '999.50', reason: 'fraudulent' });
    const [dispute] = (await running.stripe.disputes.list()).data;
    expect(dispute).toMatchObject({ amount: 99_950, status: 'needs_response' });
    const shown = await list();
    for (const words of ['BDT\u00a01,250.00', 'BDT\u00a0250.50', 'BDT\u00a0999.50', 'Needs a response', 'order o1'])
      expect(shown).toContain(words);
    expect(shown).not.toContain(`/charges/${charge}/refunds`);
    await act(`/disputes/${dispute?.id}`, { decision: 'win' });
    expect((await running.stripe.disputes.retrieve(dispute?.id ?? '')).status).toBe('won');
    expect(await list()).toContain(`/charges/${charge}/refunds`);
  });

  it.each<[string, string, Record<string, string>[]]>([
    ['Partly refunded', 'refunds', [{ amount: '250.50', reason: 'duplicate' }]],
    ['Refunded', 'refunds', [{ amount: '1250', reason: 'duplicate' }]],
    ['Disputed', 'disputes', [{ amount: '1250', reason: 'fraudulent' }]],
    ['Lost to a dispute', 'disputes', [{ amount: '1250', reason: 'fraudulent' }, { decision: 'lose' }]],
    ['Paid', 'disputes', [{ amount: '1250', reason: 'fraudulent' }, { decision: 'win' }]],
  ])('the dashboard says what became of a payment: %s', async (words, kind, [first = {}, decision]) => {
    const { latest_charge: charge } = await pay();
    expect(await list()).toMatch(/<\/h2>\s*<span class="chip done">Paid</);
    await act(`/charges/${charge}/${kind}`, first);
    const [dispute] = (await running.stripe.disputes.list()).data;
    if (dispute && decision) await act(`/disputes/${dispute.id}`, decision);
    expect(/<\/h2>\s*<span class="chip \w+">([^<]+)</.exec(await list())?.[1]).toBe(words);
  });

  it('an admin can decide payments and refunds that take time', async () => {
    const [first, second] = [await pay('pm_card_processingThenFails'), await pay('pm_card_pendingRefund')];
    await act(`/payments/${first.id}`, { outcome: 'succeed' });
    expect((await running.stripe.paymentIntents.retrieve(first.id)).status).toBe('succeeded');
    const refund = await running.stripe.refunds.create({ payment_intent: second.id });
    await act(`/refunds/${refund.id}`, { status: 'failed' });
    expect((await running.stripe.refunds.retrieve(refund.id)).status).toBe('failed');
  });

  it('the dashboard shows why the local Stripe refused an action, and refuses forms that it does not know', async () => {
    const { latest_charge: charge } = await pay();
    const refused = await act(`/charges/${charge}/refunds`, { amount: '1250.01', reason: 'duplicate' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ message: expect.stringContaining('greater than unrefunded amount') });
    expect((await act(`/charges/${charge}/refunds`, { amount: '-5', reason: 'duplicate' })).status).toBe(422);
    expect((await act(`/charges/..%2Ffaults/refunds`, { amount: '5', reason: 'duplicate' })).status).toBe(422);
    expect((await act('/faults', { drop: 'true' })).status).toBe(404);
    await running.close();
    const down = await act(`/charges/${charge}/refunds`, { amount: '5', reason: 'duplicate' });
    expect(await down.json()).toEqual({ message: 'The local Stripe did not answer. Please try again.' });
    expect((await visit('/payments', tokens.admin)).status).toBe(503);
  });

  it('text from payments is escaped, and older payments are on the next page', async () => {
    await pay('pm_card_visa', '<script>alert(1)</script>');
    expect(await list()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    for (let made = 0; made < 20; made += 1)
      await running.stripe.paymentIntents.create({ amount: 6_000, currency: 'bdt' });
    const shown = await list();
    expect(shown).not.toContain('alert(1)');
    const [, query = ''] = /dashboard(\?starting_after=[^"]+)"/.exec(shown) ?? [];
    expect(await list(query)).toContain('alert(1)');
    expect((await visit('/payments?starting_after=x', tokens.admin)).status).toBe(422);
  });
});
