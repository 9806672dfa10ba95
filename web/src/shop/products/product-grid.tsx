import { Card, SimpleGrid, Skeleton } from '@mantine/core';
import { Spinner } from '../../ui/states.tsx';
import { ProductCard } from './product-card.tsx';
import styles from './product-grid.module.css';

/** The columns of the catalogue: a phone shows one card a row, a wide screen four. */
const CATALOGUE_COLUMNS = { base: 1, xs: 2, md: 3, lg: 4 };
/** Three cards stand side by side, or one below the other. */
export const FEATURED_COLUMNS = { base: 1, sm: 3 };

/** The pictures of this many cards are above the fold and load eagerly. */
const AT_FIRST_SIGHT = 4;

type Columns = Record<string, number>;

export function ProductGrid({ ids, columns = CATALOGUE_COLUMNS }: { ids: readonly string[]; columns?: Columns }) {
  return (
    <SimpleGrid cols={columns} spacing="lg">
      {ids.map((id, position) => (
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

/** Placeholder cards of the same size under a spinner, so that nothing shifts when the products load. */
export function ProductGridLoading({ cards, columns = CATALOGUE_COLUMNS, label }: ProductGridLoadingProps) {
  return (
    <div className={styles.loading}>
      <div className={styles.spinner}>
        <Spinner label={label} />
      </div>
      <SimpleGrid cols={columns} spacing="lg" aria-hidden="true" className={styles.cards}>
        {Array.from({ length: cards }, (_, position) => position).map((position) => (
          <Card key={position} withBorder padding="md">
            <Card.Section className={styles.picture} />
            <Skeleton animate={false} height={16} width="70%" mt={19} />
            <Skeleton animate={false} height={20} width="45%" mt={13} />
            <Skeleton animate={false} height={12} mt={21} />
            <Skeleton animate={false} height={12} mt={12} />
            <Skeleton animate={false} height={12} mt={12} width="60%" />
            <Skeleton animate={false} height={36} mt={72} />
          </Card>
        ))}
      </SimpleGrid>
    </div>
  );
}
