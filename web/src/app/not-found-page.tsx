import { Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../ui/page-heading.tsx';
import styles from './not-found-page.module.css';

/** The page for any unknown path (R17). */
export default function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <div className={styles.notFound}>
      <div className={styles.words}>
        <Text c="dimmed" aria-hidden="true">
          404
        </Text>
        <Title order={1}>Oops! Page not found</Title>
        <Text c="dimmed" maw={440}>
          You may have mistyped the address, or the page may have been removed.
        </Text>
        <div className={styles.ways}>
          <Button component={Link} to="/allproducts">
            See all products
          </Button>
          <Button component={Link} to="/" variant="default">
            Go to the home page
          </Button>
        </div>
      </div>
      {/* The picture shows an empty computer case, which suits a missing page. */}
      <img src="/casings/trellis-open-frame.svg" alt="" width={400} height={300} className={styles.picture} />
    </div>
  );
}
