import { Title, VisuallyHidden } from '@mantine/core';
import { usePageTitle } from '../../ui/page-heading.tsx';
import { Banner } from './banner.tsx';
import { FeaturedItems } from './featured-items.tsx';
import styles from './home-page.module.css';
import { LimitedEdition } from './limited-edition.tsx';
import { ReviewsCarousel } from './reviews-carousel.tsx';
import { Statistics } from './statistics.tsx';
import { UpcomingProducts } from './upcoming-products.tsx';

/** The home page (R1). */
export default function HomePage() {
  usePageTitle('Home');
  return (
    <div className={styles.home}>
      <VisuallyHidden component="h1">Micro Center: cases and builds for desktop computers</VisuallyHidden>
      <Banner />
      <FeaturedItems />
      <LimitedEdition />
      <Statistics />
      <section aria-labelledby="reviews">
        <Title order={2} id="reviews" mb="lg">
          Customer Reviews
        </Title>
        <ReviewsCarousel />
      </section>
      <UpcomingProducts />
    </div>
  );
}
