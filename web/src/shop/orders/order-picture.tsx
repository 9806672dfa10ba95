import { useLiveEntry } from '../../live/use-live-document.ts';
import { productWith } from '../products/product.api.ts';
import { ProductImage } from '../products/product-image.tsx';

/**
 * The picture of the ordered product, or a placeholder if the shop no longer sells the product. Its `alt` is empty,
 * because the product's name is next to it.
 */
export function OrderPicture({ productId }: { productId: string }) {
  const { data: product } = useLiveEntry(productWith(productId));
  return <ProductImage src={product?.img1 ?? ''} alt="" eager />;
}
