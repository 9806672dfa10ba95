import type { ProductDetails } from '../../contracts/product/product-events.ts';

/** A product for tests in which the product's details don't matter. Its price is 5,000 taka. */
export const TOWER_ONE: ProductDetails = {
  name: 'Tower One',
  img1: '',
  img2: '',
  processor: '',
  gpu: '',
  rated: '',
  description: '',
  price: 500_000,
  minorder: 1,
};
