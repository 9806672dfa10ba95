import { Text } from '@mantine/core';
import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { problemText } from '../../api/problem.ts';
import { useLiveList, useViews } from '../../live/use-live.ts';
import { allReviews } from '../../shop/reviews/reviews.api.ts';
import { Stars } from '../../shop/reviews/stars.tsx';
import { languageOf } from '../../ui/language.ts';
import slides from '../../ui/slides.module.css';
import { EmptyState, ErrorState, Spinner } from '../../ui/states.tsx';
import { CarouselControl, useCarousel } from '../../ui/use-carousel.tsx';
import styles from './reviews-carousel.module.css';

/** How many reviews the home page shows, and how long each is shown, in milliseconds. */
export const REVIEWS_SHOWN = 5;
export const REVIEW_INTERVAL = 6100;

/** Shows the newest reviews one after another, in a loop (H7). */
export function ReviewsCarousel() {
  const { list, error, refetch } = useLiveList(allReviews);
  const reviews = useViews('review', list?.ids.slice(0, REVIEWS_SHOWN) ?? []);
  if (list === undefined && error !== null) {
    return <ErrorState title="The reviews could not be loaded" text={problemText(error)} onRetry={refetch} />;
  }
  if (list === undefined) {
    return (
      <div className={`${styles.slides} ${styles.loading}`}>
        <Spinner label="Loading reviews" />
      </div>
    );
  }
  if (reviews.length === 0) {
    return <EmptyState title="No reviews yet" text="Be the first to tell others about something you bought." />;
  }
  return <Slides reviews={reviews} />;
}

function Slides({ reviews }: { reviews: readonly ReviewView[] }) {
  const { index, onKey, handlers, control } = useCarousel({ count: reviews.length, interval: REVIEW_INTERVAL });
  return (
    // biome-ignore lint/a11y/useSemanticElements: slides aren't a group of form fields
    <div
      className={styles.slides}
      role="group"
      aria-roledescription="carousel"
      aria-label="Reviews"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys need an element that has the focus
      tabIndex={0}
      onKeyDown={onKey}
      data-testid="reviews"
      {...handlers}
    >
      {reviews.map((review, position) => (
        <figure key={review._id} className={slides.slide} aria-hidden={position !== index}>
          <blockquote lang={languageOf(review.description)} className={styles.text}>
            {review.description}
          </blockquote>
          <figcaption className={styles.caption}>
            <Stars rating={review.ratings} />
            <span>
              <Text span fw={600} lang={languageOf(review.username)}>
                {review.username}
              </Text>
              <Text span c="dimmed">
                {' on '}
                <span lang={languageOf(review.name)}>{review.name}</span>
              </Text>
            </span>
          </figcaption>
        </figure>
      ))}
      {control ? <CarouselControl what="the reviews" color="gray" className={styles.control} {...control} /> : null}
    </div>
  );
}
