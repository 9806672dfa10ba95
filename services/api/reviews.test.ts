import { describe, expect, it } from 'vitest';
import type { ReviewView } from '../contracts/views.ts';
import { stockedShop, testShops } from './test-shop.fixture.ts';

const open = testShops();
const REVIEW = { name: 'Tower One', ratings: 4.5, username: 'Rumi', description: 'Cool and quiet.' };

describe('reviews', () => {
  it('C21 posts a review under the name that its writer gave', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const answer = await shopper.call('POST', '/reviews', REVIEW);
    const { insertedId } = answer.body as { insertedId: string };
    expect(answer).toMatchObject({ status: 201, body: { acknowledged: true, insertedId, version: 1 } });
    const { username, ...rest } = REVIEW;
    expect(await shop.events('review', insertedId)).toMatchObject([
      { type: 'ReviewPosted', data: { ...rest, person: shop.userId(shopper.email), personal: { username } } },
    ]);
    expect((await shop.call('GET', answer.headers.get('location') ?? '')).body).toMatchObject({
      _id: insertedId,
      ...REVIEW,
    });
  });

  it('C21 a rating may come as text', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    await shopper.call('POST', '/reviews', { ...REVIEW, ratings: '3' });
    expect((await shop.call('GET', '/reviews')).body).toMatchObject([{ ratings: 3 }]);
  });

  it.each([0, -1, 5.01, '6', '-2', 'five', null])('C21 V2 refuses the rating %s, and no event', async (ratings) => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    const before = await shop.eventCount();
    expect(await shopper.call('POST', '/reviews', { ...REVIEW, ratings })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', errors: [{ path: 'ratings', message: 'Enter rating between 1 to  5' }] },
    });
    expect(await shop.eventCount()).toBe(before);
  });

  it('CMD3 the same key posts once; with another text it is 422', async () => {
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

  it('C22 K3 lists all reviews, oldest first, as new as the last post (READ1)', async () => {
    const shop = await open();
    const { shopper } = await stockedShop(shop);
    for (const description of ['one', 'two', 'three']) {
      await shopper.call('POST', '/reviews', { ...REVIEW, description });
      shop.advance(10);
    }
    const texts = ((await shop.call('GET', '/reviews')).body as ReviewView[]).map(({ description }) => description);
    expect(texts).toEqual(['one', 'two', 'three']);
  });
});
