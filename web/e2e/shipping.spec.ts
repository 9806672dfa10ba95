import type { Page } from '@playwright/test';
import { placePaid, sell } from './buying.fixture.ts';
import { expect, liveDot, PEOPLE, test } from './shop.fixture.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Orders' }).locator('tr[data-index]');

async function openBoard(admin: Page, search: string): Promise<void> {
  await admin.goto(`/dashboard/allorder${search}`);
  await expect(liveDot(admin)).toHaveText('Live');
}

test('U34 W7 a thumb that just misses the box of a card selects its order, and opens none', async ({ person }) => {
  const admin = await person(PEOPLE.admin);
  const shopper = await person(PEOPLE.shopper);
  const productId = await sell(admin, 'Jamuna Board');
  for (const name of ['First thumb', 'Second thumb']) await placePaid(shopper, productId, { name });
  await admin.setViewportSize({ width: 390, height: 844 });
  await openBoard(admin, '?q=jamuna');
  await expect(rows(admin)).toHaveCount(2);
  const box = await rows(admin).nth(1).getByRole('checkbox').boundingBox();
  if (box === null) throw new Error('The card has no box.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // Corners and sides of the 44 px that a thumb hits, as far as they are within the card.
  let selected = false;
  for (const [dx, dy] of [
    [-20, 0],
    [22, 0],
    [0, -20],
    [0, 22],
    [22, 22],
  ] as const) {
    await admin.mouse.click(x + dx, y + dy);
    selected = !selected;
    await expect(rows(admin).nth(1).getByRole('checkbox')).toBeChecked({ checked: selected });
  }
  expect(new URL(admin.url()).searchParams.get('order')).toBeNull();
  await expect(rows(admin).nth(0).getByRole('checkbox')).not.toBeChecked();
});
