import { SimpleGrid, Text, Title } from '@mantine/core';
import type { ProductView } from '@micro-center/services/contracts/product/product-view.ts';
import { useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { hasProblemCode } from '../../api/problem.ts';
import { selectIsLive } from '../../live/live-slice.ts';
import { useIsChanged } from '../../live/use-live.ts';
import { useLiveAnswer, useLiveEntry } from '../../live/use-live-document.ts';
import { productsLike, productWith } from '../../shop/products/product.api.ts';
import { ProductCard } from '../../shop/products/product-card.tsx';
import { ProductDetails } from '../../shop/products/product-details.tsx';
import { ProductPictures } from '../../shop/products/product-pictures.tsx';
import { isBuyable, stockWarning } from '../../shop/products/stock.tsx';
import { formatTaka } from '../../ui/format.ts';
import { languageOf } from '../../ui/language.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { usePageTitle } from '../../ui/page-heading.tsx';
import styles from './item-page.module.css';
import { ItemRating, ItemReviews } from './item-reviews.tsx';

/** The public page of a product (G1). If the product is unknown or removed, shows similar products (G3). */
export default function ItemPage() {
  const { id = '' } = useParams();
  const { data: product, error, refetch } = useLiveEntry(productWith(id));
  const gone = hasProblemCode(error, 'not_found');
  usePageTitle(gone ? 'Item not found' : (product?.name ?? 'Item'));
  if (gone) return <Gone id={id} />;
  if (product === undefined) {
    return <NotLoaded what="the item" headingOrder={1} error={error} onRetry={refetch} />;
  }
  return (
    <>
      <Item product={product} />
      <ItemReviews key={product.name} item={product.name} />
      <Similar id={id} title="More like this" />
    </>
  );
}

function Item({ product }: { product: ProductView }) {
  const changed = useIsChanged(product._id);
  const buyable = isBuyable(product);
  return (
    <article className={styles.item} aria-labelledby="item">
      <div>
        <ProductPictures key={product._id} product={product} />
      </div>
      <div>
        <Title order={1} id="item" lang={languageOf(product.name)}>
          {product.name}
        </Title>
        <ItemRating item={product.name} />
        <p className={styles.price} data-changed={changed || undefined}>
          <span className={styles.amount}>{formatTaka(product.price)}</span>
          <Stock product={product} />
        </p>
        {buyable ? (
          <LinkButton to={`/buypage/${product._id}`} size="lg" fullWidth aria-label={`Buy now: ${product.name}`}>
            Buy now
          </LinkButton>
        ) : (
          <LinkButton to="/allproducts?inStock=1" size="lg" fullWidth variant="default">
            See what is in stock
          </LinkButton>
        )}
        <Smallest product={product} />
        <ProductDetails product={product} />
      </div>
    </article>
  );
}

function Stock({ product }: { product: ProductView }) {
  const warning = stockWarning(product);
  const tone = warning === null ? 'plenty' : isBuyable(product) ? 'scarce' : 'none';
  return (
    <span role="status" className={styles.stock} data-tone={tone}>
      {warning ?? `${product.quantity} in stock`}
    </span>
  );
}

/**
 * Shows the minimum order if it is more than one. While the page receives live updates, also says that the price and
 * stock update automatically.
 */
function Smallest({ product: { minorder } }: { product: ProductView }) {
  const live = useSelector(selectIsLive);
  const smallest = minorder > 1 ? `Minimum order ${minorder}. ` : '';
  return (
    <Text size="sm" c="dimmed" mt="sm" mih="1lh">
      {smallest}
      {live ? 'Price and stock update automatically.' : ''}
    </Text>
  );
}

function Gone({ id }: { id: string }) {
  return (
    <>
      <Title order={1}>This item is not sold here</Title>
      <Text c="dimmed" mt="sm" mb="lg">
        The item may have been removed from the shop, or you may have mistyped the address.
      </Text>
      <LinkButton to="/allproducts">See all items</LinkButton>
      <Similar id={id} title="You may like one of these" />
    </>
  );
}

function Similar({ id, title }: { id: string; title: string }) {
  const { data = [] } = useLiveAnswer(productsLike(id));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="similar" className={styles.section}>
      <Title order={2} id="similar" mb="lg">
        {title}
      </Title>
      <SimpleGrid minColWidth="max(13rem, 22%)" spacing="lg">
        {data.map((product) => (
          <ProductCard key={product._id} id={product._id} answered={product} />
        ))}
      </SimpleGrid>
    </section>
  );
}
