import { Card, SimpleGrid, type SimpleGridProps, Skeleton } from '@mantine/core';
import { useSteadyIds } from '../../live/use-steady-ids.ts';
import { Spinner } from '../../ui/states.tsx';
import { ProductCard } from './product-card.tsx';
import styles from './product-grid.module.css';

type Columns = Pick<SimpleGridProps, 'cols' | 'minColWidth'>;
/** The catalogue's columns: one card per row on a phone, four on a wide screen. */
const CATALOGUE_COLUMNS: Columns = { minColWidth: 256 };
/** The columns for featured products: one card per row on a phone, three on a wider screen. */
export const FEATURED_COLUMNS: Columns = { cols: { base: 1, sm: 3 } };

/** The number of cards above the fold. The pictures of these cards load eagerly. */
const AT_FIRST_SIGHT = 4;

interface ProductGridProps {
  ids: readonly string[];
  /** identifies the list of products. When it changes, the new products are shown immediately. */
  name: string;
  columns?: Columns;
}

/** Shows products as cards. They stay in place while the pointer, a finger or the focus is on them. */
export function ProductGrid({ ids, name, columns = CATALOGUE_COLUMNS }: ProductGridProps) {
  const steady = useSteadyIds(name, 'product', ids);
  return (
    <SimpleGrid {...columns} spacing="lg" {...steady.handlers}>
      {steady.ids.map((id, position) => (
        <ProductCard key={id} id={id} eager={position < AT_FIRST_SIGHT} />
      ))}
    </SimpleGrid>
  );
}

interface ProductGridLoadingProps {
  cards: number;
  columns?: Columns;
  label: string;
}

/**
 * Placeholder cards under a spinner. They have the same size as product cards, so nothing shifts when the products
 * load.
 */
export function ProductGridLoading({ cards, columns = CATALOGUE_COLUMNS, label }: ProductGridLoadingProps) {
  return (
    <div className={styles.loading}>
      <div className={styles.spinner}>
        <Spinner label={label} />
      </div>
      <SimpleGrid {...columns} spacing="lg" aria-hidden="true" className={styles.cards}>
        {Array.from({ length: cards }, (_, position) => position).map((position) => (
          <Card key={position} withBorder padding="md">
            <Card.Section className={styles.picture} />
            <Skeleton animate={false} height={16} width="70%" mt="md" />
            <Skeleton animate={false} height={20} width="45%" mt="md" />
            <Skeleton animate={false} height={12} mt="lg" />
            <Skeleton animate={false} height={12} mt="md" />
            <Skeleton animate={false} height={12} mt="md" width="60%" />
            <Skeleton animate={false} height={64} mt="xl" />
          </Card>
        ))}
      </SimpleGrid>
    </div>
  );
}
