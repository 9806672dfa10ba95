import { Text } from '@mantine/core';
import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { problemText } from '../../api/problem.ts';
import { useListReviewsQuery } from '../../shop/reviews/reviews.api.ts';
import { CarouselControl } from '../../ui/carousel-control.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useCarousel } from '../../ui/use-carousel.ts';
import styles from './reviews-carousel.module.css';
import { Stars } from './stars.tsx';

/** How many reviews the home page shows, and how long each stays in milliseconds. */
export const REVIEWS_SHOWN = 5;
export const REVIEW_INTERVAL = 6100;

/** The newest reviews, one after the other, round and round (H7). */
export function ReviewsCarousel() {
  const { data, error, refetch } = useListReviewsQuery();
  if (data === undefined && error !== undefined) {
    return (
      <ErrorState
        title="The reviews did not arrive"
        text={problemText(error)}
        onRetry={() => {
          void refetch();
        }}
      />
    );
  }
  if (data === undefined) {
    return (
      <div className={`${styles.slides} ${styles.loading}`}>
        <Spinner label="Loading reviews" />
      </div>
    );
  }
  if (data.items.length === 0) {
    return <EmptyState title="No reviews yet" text="Be the first to tell others about what you bought." />;
  }
  return <Slides reviews={data.items.slice(0, REVIEWS_SHOWN)} />;
}

function Slides({ reviews }: { reviews: ReviewView[] }) {
  const { index, onKey, handlers, control } = useCarousel({ count: reviews.length, interval: REVIEW_INTERVAL });
  return (
    // biome-ignore lint/a11y/useSemanticElements: slides are no group of form fields
    <div
      className={styles.slides}
      role="group"
      aria-roledescription="carousel"
      aria-label="Reviews"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys need a place to be pressed at
      tabIndex={0}
      onKeyDown={onKey}
      data-testid="reviews"
      {...handlers}
    >
      {reviews.map((review, position) => (
        <figure
          key={review._id}
          className={styles.slide}
          aria-hidden={position !== index}
          data-active={position === index || undefined}
        >
          <blockquote className={styles.text}>{review.description}</blockquote>
          <figcaption className={styles.caption}>
            <Stars rating={review.ratings} />
            <span>
              <Text span fw={600}>
                {review.username}
              </Text>
              <Text span c="dimmed">
                {' on '}
                {review.name}
              </Text>
            </span>
          </figcaption>
        </figure>
      ))}
      {control ? <CarouselControl what="the reviews" color="gray" className={styles.control} {...control} /> : null}
    </div>
  );
}
