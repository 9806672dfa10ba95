import { declareDocuments, type Query } from '../../contracts/document-queries.ts';
import { isLowStock } from '../../contracts/product/stock.ts';
import { searchTexts } from '../../contracts/search-text.ts';

export const products = declareDocuments('product', {
  version: 1,
  columns: {
    createdAt: ({ createdAt }) => createdAt,
    name: ({ name }) => name,
    price: ({ price }) => price,
    listed: ({ removed }) => !removed,
    inStock: ({ quantity }) => quantity > 0,
    soldOut: ({ quantity }) => quantity === 0,
    low: (product) => !product.removed && isLowStock(product),
  },
  text: searchTexts.product,
  indexes: [
    ['low', 'createdAt'],
    ['listed', 'createdAt', 'id', 'version'],
    ['listed', 'price'],
    ['listed', 'name'],
  ],
});

export interface ProductListQuery {
  readonly q?: string | undefined;
  readonly inStock?: boolean | undefined;
  readonly stock?: 'low' | undefined;
  readonly order?: 'price' | '-price' | 'name' | undefined;
  readonly sort: 'oldest' | 'newest';
}

/**
 * Lists products that haven't been removed. Each word of `q` must occur in the product's name, processor, GPU or
 * description, or in the words that apply to every product, such as 'case'. `stock: 'low'` selects products for which
 * isLowStock() is true. `order` takes precedence over `sort`.
 */
export function productList({ q, inStock, stock, order, sort }: ProductListQuery): Query<'product'> {
  const flag = (isSet: boolean) => (isSet ? (true as const) : undefined);
  const where = {
    listed: true as const,
    inStock: flag(inStock === true),
    soldOut: flag(inStock === false),
    low: flag(stock === 'low'),
  };
  const sorted = { where, text: q };
  if (order === undefined) return products.query({ ...sorted, by: 'createdAt', descending: sort === 'newest' });
  return products.query({ ...sorted, by: order === 'name' ? 'name' : 'price', descending: order === '-price' });
}

/** Finds the products that have exactly this name and haven't been removed. */
export const productsNamed = (name: string): Query<'product'> => products.query({ where: { listed: true, name } });
