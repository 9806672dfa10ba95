import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import facts from '../../ui/facts.module.css';
import { languageOf } from '../../ui/language.ts';
import styles from './product-details.module.css';

/** All fields of a product except its name, pictures and price. */
export function ProductDetails({ product }: { product: ProductView }) {
  return (
    <dl className={`${facts.facts} ${styles.facts}`}>
      <Fact term="Supported processor" value={product.processor} />
      <Fact term="Graphics card" value={product.gpu} />
      <Fact term="Best build for" value={product.description} />
      <Fact term="Rated" value={product.rated} />
      <Fact term="Available" value={String(product.quantity)} />
      <Fact term="Minimum order" value={String(product.minorder)} />
    </dl>
  );
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <>
      <dt>{term}</dt>
      <dd lang={languageOf(value)}>{value || 'Not stated'}</dd>
    </>
  );
}
