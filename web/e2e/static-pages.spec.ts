import { expect, test, watchForReload } from './shop.fixture.ts';

test('B1 the five panels on the blogs page open and close in 300 ms', async ({ page }) => {
  await page.goto('/blogs');
  const panels = page.getByRole('main').getByRole('button', { expanded: false });
  await expect(panels).toHaveCount(5);
  await page.evaluate(() => {
    const seen = Object.assign(window, { durations: [] as string[] });
    document.addEventListener('transitionrun', ({ target, propertyName }) => {
      if (propertyName === 'height' && target instanceof Element) {
        seen.durations.push(getComputedStyle(target).transitionDuration);
      }
    });
  });
  await panels.first().click();
  const answer = page.getByText(/^Measure before changing anything/);
  await expect(answer).toBeVisible();
  await page.getByRole('button', { expanded: true }).click();
  await expect(answer).toBeHidden();
  const durations = await page.evaluate(() => (window as unknown as { durations: string[] }).durations);
  expect(durations.length).toBeGreaterThan(0);
  for (const duration of durations) expect(duration).toMatch(/^(0\.3s|300ms)/);
});

test('B2 a portfolio project that links to a page of the shop opens that page without a reload', async ({ page }) => {
  await page.goto('/myportfolio');
  for (const name of ['Education', 'Skills', 'Projects']) {
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  }
  const stayed = await watchForReload(page);
  const projects = page.getByRole('region', { name: 'Projects' });
  await projects.getByRole('link', { name: 'Open the catalogue' }).click();
  await expect(page).toHaveURL(/\/allproducts$/);
  await page.goBack();
  await projects.getByRole('link', { name: 'Read the blog' }).click();
  await expect(page).toHaveURL(/\/blogs$/);
  expect(await stayed()).toBe(true);
  await page.goBack();
  await projects.getByRole('link', { name: 'Read the documentation' }).click();
  await expect(page).toHaveURL(/\/docs$/);
  expect(await stayed()).toBe(false);
});
