import { toTaka } from '../../contracts/money.ts';
import type { ProductDocument } from '../../contracts/product/product-document.ts';
import type { ProductView } from '../../contracts/product/product-view.ts';

// The fields are listed one by one, so that no internal field leaks out (LIVE3).

export function productView(product: ProductDocument): ProductView {
  return {
    _id: product.id,
    name: product.name,
    img1: product.img1,
    img2: product.img2,
    processor: product.processor,
    gpu: product.gpu,
    rated: product.rated,
    description: product.description,
    price: toTaka(product.price),
    quantity: product.quantity,
    minorder: product.minorder,
    addedAt: product.createdAt,
    version: product.version,
  };
}
