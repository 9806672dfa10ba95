import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { z } from 'zod';
import type { ProductView } from '../../services/contracts/product/product-view.ts';
import { freshDataDir, startShopProcess } from '../../services/whole-shop/shop-process.fixture.ts';
import { browserSettings } from '../e2e/browser-settings.ts';
import { callAs, PEOPLE, signIn } from '../e2e/shop.fixture.ts';
import { loadLighthouse, type Result } from './load-lighthouse.ts';

/**
 * `npm run lighthouse`: runs Lighthouse on a demo shop, simulating a phone on a slow network. Prints each category's
 * median score over several runs (RUNS, 5 by default). For each median below 95, lists the audits that lost points in a
 * run with that score.
 */

const RUNS = z.coerce.number().int().positive().default(5).parse(process.env.RUNS);
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const GOOD = 95;

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const scoreOf = (result: Result, category: string) => Math.round((result.categories[category]?.score ?? 0) * 100);

/** Returns the audits that lowered the page's score in a category, with their measured values. */
function shortcomings(result: Result, category: string): string[] {
  const counting = (result.categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  return counting.flatMap(({ id }) => {
    const audit = result.audits[id];
    if (!audit || audit.score === null || audit.score >= 0.995) return [];
    return `${category}: ${audit.title} ${audit.displayValue ?? ''}`.trim();
  });
}

function measure(url: string, port: number): Promise<Result> {
  return lighthouse(url, {
    port,
    onlyCategories: CATEGORIES,
    // Clears caches but no other storage, so a signed-in user stays signed in.
    clearStorageTypes: ['cache_storage', 'service_workers', 'shader_cache'],
    logLevel: 'error',
  });
}

async function report(name: string, url: string, port: number): Promise<void> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) results.push(await measure(url, port));
  const scores = CATEGORIES.map((category) => median(results.map((result) => scoreOf(result, category))));
  console.log(`${name.padEnd(16)} ${scores.map((score) => String(score).padStart(14)).join(' ')}`);
  for (const [index, category] of CATEGORIES.entries()) {
    const score = scores[index] ?? 0;
    if (score >= GOOD) continue;
    const typical = results.find((result) => scoreOf(result, category) === score);
    for (const line of typical ? shortcomings(typical, category) : []) console.log(`    ${line}`);
  }
  const measured = (audit: string) => median(results.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
  const paints = ['first-contentful-paint', 'largest-contentful-paint'].map((audit) =>
    (measured(audit) / 1000).toFixed(1),
  );
  console.log(
    `    first paint ${paints[0]} s, largest ${paints[1]} s, blocking ${measured('total-blocking-time').toFixed(0)} ms, ` +
      `shift ${measured('cumulative-layout-shift').toFixed(3)}`,
  );
  const speed = median(results.map(({ environment }) => environment.benchmarkIndex));
  console.log(`    this machine's speed by Lighthouse's own benchmark: ${speed.toFixed(0)}`);
}

function openBrowser(profile: string, baseURL: string): Promise<BrowserContext> {
  const { executablePath, args = [] } = browserSettings('').use?.launchOptions ?? {};
  return chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...args, '--remote-debugging-port=0'],
    baseURL,
  });
}

const lighthouse = await loadLighthouse();
const data = freshDataDir();
const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'));
const shop = await startShopProcess(data.path);
const browser = await openBrowser(profile, shop.url);
try {
  const port = Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
  console.log(`${'page'.padEnd(16)} ${CATEGORIES.map((category) => category.padStart(14)).join(' ')}`);
  const [product] = (await (await fetch(`${shop.url}/products?inStock=true`)).json()) as ProductView[];
  if (!product) throw new Error('The demo shop has no products in stock.');
  await report('/', `${shop.url}/`, port);
  await report('/allproducts', `${shop.url}/allproducts`, port);
  await report('/items/:id', `${shop.url}/items/${product._id}`, port);
  const page = await browser.newPage();
  await signIn(page, PEOPLE.shopper);
  const { email, name } = PEOPLE.shopper;
  const delivery = { name, email, phone: '01711000000', address: 'House 7, Road 3, Dhanmondi, Dhaka' };
  const bought = { product: product.name, productId: product._id, quantity: product.minorder };
  const order = (await callAs(page, 'POST', '/orders', { ...delivery, ...bought })) as { insertedId: string };
  await page.close();
  await report('/buypage/:id', `${shop.url}/buypage/${product._id}`, port);
  await report('/payment/:id', `${shop.url}/dashboard/payment/${order.insertedId}`, port);
} finally {
  await browser.close();
  await shop.stop();
  rmSync(profile, { recursive: true, force: true });
  data.remove();
}
