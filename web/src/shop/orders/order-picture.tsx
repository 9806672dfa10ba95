import { useLiveEntry } from '../../live/live-document.ts';
import { productWith } from '../products/product.api.ts';
import { ProductImage } from '../products/product-image.tsx';

/** The picture of what was ordered, beside its name; a stand-in where the shop does not sell it any more. */
export function OrderPicture({ productId }: { productId: string }) {
  const { data: product } = useLiveEntry(productWith(productId));
  return <ProductImage src={product?.img1 ?? ''} alt="" eager />;
}
