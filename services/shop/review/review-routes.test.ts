import { describe, expect, it } from 'vitest';
import type { ReviewView } from '../../contracts/review/review-view.ts';
import { stockedShop, testShops } from '../../http/test-shop.fixture.ts';
import { plainIdentity } from '../../whole-shop/plain-identity.fixture.ts';
import { reviewDecider } from './review.ts';

const open = testShops();
const REVIEW = { name: 'Tower One', ratings: 4.5, username: 'Somebody Else', description: 'Cool and quiet.' };

describe('reviews', () => {
  it("REV1 C21 a review is posted under the caller's name, whatever name the body gives", async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const answer = await shopper.call('POST', '/reviews', REVIEW);
    const { insertedId } = answer.body as { insertedId: string };
    expect(answer).toMatchObject({ status: 201, body: { acknowledged: true, insertedId, version: 1 } });
    const { username: _, ...rest } = REVIEW;
    const username = 'rumi';
    expect(await shop.events('review', insertedId)).toMatchObject([
      { type: 'ReviewPosted', data: { ...rest, person: shop.userId(shopper.email), personal: { username } } },
    ]);
    expect((await shop.call('GET', answer.headers.get('location') ?? '')).body).toMatchObject({
      _id: insertedId,
      ...REVIEW,
      username,
    });
  });

  it.each([
    ['Rumi Karim', 'Rumi Karim'],
    ['', 'rumi'],
  ])(
    "REV1 a review shows the customer's name from the identity provider (%j), or the part of the e-mail address before the @ if that name is empty",
    async (name, username) => {
      const verifyIdToken = async (token: string) => ({ ...(await plainIdentity.verifyIdToken(token)), name });
      const shop = await open(() => ({ identity: { ...plainIdentity, verifyIdToken } }));
      const shopper = await shop.signIn('rumi@shop.test');
      await shopper.call('POST', '/reviews', REVIEW);
      expect((await shop.call('GET', '/reviews')).body).toMatchObject([{ username }]);
    },
  );

  it("C22 GET /reviews?name= lists only the given item's reviews", async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    await shopper.call('POST', '/reviews', REVIEW);
    await shopper.call('POST', '/reviews', { ...REVIEW, name: 'Tower Two' });
    const of = async (name: string) => (await shop.call('GET', `/reviews?name=${encodeURIComponent(name)}`)).body;
    expect(await of('Tower Two')).toMatchObject([{ name: 'Tower Two' }]);
    expect(await of('Tower One')).toMatchObject([{ name: 'Tower One' }]);
    expect(await of('Tower Three')).toEqual([]);
    expect(await of(' ')).toMatchObject({ code: 'invalid_request' });
  });

  it('C21 a rating may be sent as a string', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    await shopper.call('POST', '/reviews', { ...REVIEW, ratings: '3' });
    expect((await shop.call('GET', '/reviews')).body).toMatchObject([{ ratings: 3 }]);
  });

  it.each([0, -1, 5.01, '6', '-2', 'five', null])('C21 V2 a review with the rating %s is refused', async (ratings) => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const before = await shop.eventCount();
    expect(await shopper.call('POST', '/reviews', { ...REVIEW, ratings })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', errors: [{ path: 'ratings', message: 'Enter rating between 1 to  5' }] },
    });
    expect(await shop.eventCount()).toBe(before);
  });

  it('CMD3 a retry with the same Idempotency-Key posts no second review, and a different text with that key gets a 422', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const post = (review: object) => shopper.call('POST', '/reviews', review, { 'idempotency-key': 'r-1' });
    const first = await post(REVIEW);
    expect((await post(REVIEW)).body).toEqual(first.body);
    expect(await post({ ...REVIEW, description: 'Loud.' })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect((await shop.call('GET', '/reviews')).body).toHaveLength(1);
  });

  it("CMD3 the Idempotency-Key of a review that changed nothing can't be reused for a different text, and a late retry with that key doesn't restore the old text", async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const post = (key: string, description: string) =>
      shopper.call('POST', '/reviews', { ...REVIEW, description }, { 'idempotency-key': key });
    await post('r-1', 'Quiet.');
    const second = await post('r-2', 'Quiet.');
    expect(await post('r-2', 'Loud.')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    await post('r-3', 'Loud.');
    expect(await post('r-2', 'Quiet.')).toMatchObject({ status: 201, body: second.body });
    expect((await shop.call('GET', '/reviews')).body).toMatchObject([{ description: 'Loud.' }]);
  });

  it('C22 K3 GET /reviews lists all reviews, oldest first, including one that was just posted (READ1)', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    for (const description of ['one', 'two', 'three']) {
      await shopper.call('POST', '/reviews', { ...REVIEW, name: `Tower ${description}`, description });
      shop.advance(10);
    }
    const texts = ((await shop.call('GET', '/reviews')).body as ReviewView[]).map(({ description }) => description);
    expect(texts).toEqual(['one', 'two', 'three']);
  });

  it("REV1 LIST1 a customer's second review of an item replaces their first in place and leaves other customers' reviews unchanged", async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const other = await shop.signIn('mina@shop.test');
    const first = await shopper.call('POST', '/reviews', REVIEW);
    await other.call('POST', '/reviews', REVIEW);
    shop.advance(1_000);
    const second = await shopper.call('POST', '/reviews', { ...REVIEW, name: ' tower  ONE', ratings: 2 });
    const { insertedId } = first.body as { insertedId: string };
    expect(second).toMatchObject({ status: 201, body: { insertedId, version: 2 } });
    expect((await shop.call('GET', '/reviews?sort=newest')).body).toHaveLength(2);
    expect((await shop.call('GET', `/reviews/${insertedId}`)).body).toMatchObject({
      ratings: 2,
      postedAt: '2026-02-03T04:05:06.000Z',
      version: 2,
    });
  });

  it('REV1 CMD3 a customer who posts reviews too often gets a 429 with Retry-After, but a retry with an earlier Idempotency-Key still succeeds, unless it is for another item', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const post = (item: number, key: string) =>
      shopper.call('POST', '/reviews', { ...REVIEW, name: `Item ${item}` }, { 'idempotency-key': key });
    for (let n = 0; n < 10; n += 1) expect((await post(n, `key-${n}`)).status).toBe(201);
    const refused = await post(10, 'key-10');
    expect(refused).toMatchObject({ status: 429, body: { code: 'reviews_too_fast' } });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await post(3, 'key-3')).status).toBe(201);
    expect(await post(4, 'key-3')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    shop.advance(60_000);
    expect((await post(10, 'key-10')).status).toBe(201);
  });

  it('LIST2 a page of reviews is at most 1 MB, and its Link header points to the next page', async () => {
    const shop = await open();
    const description = 'খ'.repeat(4_000);
    for (let n = 0; n < 120; n += 1) {
      const person = n.toString(16).padStart(32, '0');
      const command = {
        type: 'PostReview',
        userId: person,
        name: 'Tower',
        ratings: 5,
        username: 'R',
        description,
      } as const;
      const meta = { cause: 'post', actor: person, correlationId: 'test', time: '2026-01-01T00:00:00.000Z' };
      await shop.core.handler.execute(reviewDecider, person, command, meta);
    }
    await shop.feed.caughtUp();
    const seen = new Set<string>();
    let path: string | undefined = '/reviews';
    let pages = 0;
    for (; path; pages += 1) {
      const answer = await shop.call('GET', path);
      expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThanOrEqual(1_000_000);
      for (const { _id } of answer.body as ReviewView[]) seen.add(_id);
      path = answer.headers.get('link')?.match(/<([^>]+)>/)?.[1];
    }
    expect([seen.size, pages]).toEqual([120, 2]);
  });
});
