import { isFoundBy, searchTexts } from '@micro-center/services/contracts/search-text.ts';
import { describe, expect, it } from 'vitest';
import { DEMO_PRODUCTS } from '../../../../services/demo/seed/goods.ts';
import { productOf } from '../../shop/orders/order.fixture.ts';
import { isFound } from '../../shop/products/product.api.ts';
import { isBuyable, stockWarning } from '../../shop/products/stock.tsx';
import { inOrder, readFilter, writeFilter } from './catalogue-filter.ts';

const read = (address: string) => readFilter(new URLSearchParams(address));
const DEFAULTS = { q: '', inStock: false, order: undefined };

describe('the catalogue filter in the URL', () => {
  it.each([
    ['', DEFAULTS],
    ['q=rtx+5070&order=-price&inStock=1', { q: 'rtx 5070', inStock: true, order: '-price' }],
    ['order=name&inStock=true', { q: '', inStock: true, order: 'name' }],
    ['order=cheapest&inStock=perhaps', DEFAULTS],
    [`q=${'x'.repeat(201)}&order=price`, { q: '', inStock: false, order: 'price' }],
  ])('R2 the filter is read from the URL query %j, and invalid values are ignored', (address, filter) => {
    expect(read(address)).toEqual(filter);
  });

  it("R2 the filter's default values are left out of the URL, and the URL's other parameters are kept", () => {
    const written = (address: string, changes: object) =>
      writeFilter(new URLSearchParams(address), { ...DEFAULTS, ...changes }).toString();
    expect(written('', {})).toBe('');
    expect(written('from=mail', { q: 'heron', inStock: true, order: 'price' })).toBe(
      'from=mail&q=heron&order=price&inStock=1',
    );
    expect(written('from=mail&q=heron&order=price&inStock=1', {})).toBe('from=mail');
  });
});

describe('product search', () => {
  const product = productOf({ name: 'Heron Mini', gpu: 'GeForce RTX 5060', quantity: 1, minorder: 2 });

  it.each([
    ['', true],
    ['HERON', true],
    ['5060  mini', true],
    ['quiet', true],
    ['heron 5070', false],
    ['850', false],
  ])('LIST1 if the search text is %j, isFound() returns %s for the product, as on the server', (q, found) => {
    expect(isFound(product, { q, inStock: false })).toBe(found);
  });

  it.each(['casing', 'Casings', 'case', 'cases', 'heron casing', 'mini-rtx'])(
    'LIST1 a search for %j finds a casing',
    (q) => {
      expect(isFound(product, { q, inStock: false })).toBe(true);
    },
  );

  it.each(['', ...'casing|mid tower|mid-tower|Mid Towers|tower case'.split('|')])(
    "R2 a search for %j finds at least four of the demo shop's casings",
    (q) => {
      const found = DEMO_PRODUCTS.filter((goods) => isFoundBy(searchTexts.product(goods), q));
      expect(found.length).toBeGreaterThanOrEqual(4);
    },
  );

  it('LIST1 the in-stock filter hides products that are out of stock', () => {
    expect(isFound(product, { q: '', inStock: true })).toBe(true);
    expect(isFound({ ...product, quantity: 0 }, { q: '', inStock: true })).toBe(false);
  });

  it('R2 products are sorted by price in either direction or by name, and products with equal prices stay newest first', () => {
    const products = [
      productOf({ _id: 'newest', name: 'tower 10', price: 900 }),
      productOf({ _id: 'middle', name: 'Tower 2', price: 50 }),
      productOf({ _id: 'oldest', name: 'Cube', price: 900 }),
    ];
    const ids = (order: Parameters<typeof inOrder>[1]) => inOrder(products, order).map(({ _id }) => _id);
    expect(ids(undefined)).toEqual(['newest', 'middle', 'oldest']);
    expect(ids('price')).toEqual(['middle', 'newest', 'oldest']);
    expect(ids('-price')).toEqual(['newest', 'oldest', 'middle']);
    expect(ids('name')).toEqual(['oldest', 'middle', 'newest']);
  });
});

it.each([
  [0, 1, false, 'Sold out'],
  [1, 2, false, 'Sold out'],
  [2, 2, true, 'Only 2 left'],
  [5, 1, true, 'Only 5 left'],
  [6, 6, true, null],
])(
  'H4 P2 with %i in stock and a minimum order of %i, isBuyable() returns %s and stockWarning() returns %j',
  (quantity, minorder, buyable, warning) => {
    expect(isBuyable({ quantity, minorder })).toBe(buyable);
    expect(stockWarning({ quantity, minorder })).toBe(warning);
  },
);
