import { Anchor, Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReviewView } from '@micro-center/services/contracts/review/review-view.ts';
import { useState } from 'react';
import { NotLoaded } from '../../api/not-loaded.tsx';
import { useLiveList, useViews } from '../../live/use-live.ts';
import { reviewsOf } from '../../shop/reviews/reviews.api.ts';
import { Stars } from '../../shop/reviews/stars.tsx';
import { languageOf } from '../../ui/language.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';
import styles from './item-page.module.css';

const AT_FIRST = 5;

function averageOf(reviews: readonly ReviewView[]): number {
  return reviews.reduce((sum, { ratings }) => sum + ratings, 0) / reviews.length;
}

const countOf = (reviews: readonly ReviewView[]) => `${reviews.length} ${reviews.length === 1 ? 'review' : 'reviews'}`;

/** The average rating below an item's name, linked to the reviews. The line keeps its height while the reviews load. */
export function ItemRating({ item }: { item: string }) {
  const { list } = useLiveList(reviewsOf(item));
  const reviews = useViews('review', list?.ids ?? []);
  return (
    <div className={styles.rating}>
      {reviews.length > 0 ? (
        <>
          <Stars rating={averageOf(reviews)} />
          <Anchor href="#reviews" size="sm">
            {averageOf(reviews).toFixed(1)} from {countOf(reviews)}
          </Anchor>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {list ? 'No reviews yet' : ''}
        </Text>
      )}
    </div>
  );
}

/** An item's reviews, newest first. */
export function ItemReviews({ item }: { item: string }) {
  const { list, error, refetch } = useLiveList(reviewsOf(item));
  const reviews = useViews('review', list?.ids ?? []);
  const [all, setAll] = useState(false);
  if (list === undefined) return <NotLoaded what="the reviews" error={error} onRetry={refetch} />;
  const shown = all ? reviews : reviews.slice(0, AT_FIRST);
  return (
    <section id="reviews" aria-labelledby="reviews-title" className={styles.section}>
      <Title order={2} id="reviews-title" mb="md">
        Reviews
      </Title>
      {shown.length === 0 ? (
        <Text c="dimmed">Nobody has reviewed this item yet. If you bought it, be the first.</Text>
      ) : (
        <Stack component="ul" gap="lg" className={styles.reviews}>
          {shown.map((review) => (
            <li key={review._id}>
              <figure>
                <Group component="figcaption" gap="sm">
                  <Stars rating={review.ratings} />
                  <Text span fw={600} lang={languageOf(review.username)}>
                    {review.username}
                  </Text>
                  <Text span size="sm" c="dimmed">
                    <Day of={review.postedAt} />
                  </Text>
                </Group>
                <Box component="blockquote" mt="sm" lang={languageOf(review.description)}>
                  {review.description}
                </Box>
              </figure>
            </li>
          ))}
        </Stack>
      )}
      {shown.length < reviews.length ? (
        <Button variant="default" mt="md" onClick={() => setAll(true)}>
          Show all {reviews.length} reviews
        </Button>
      ) : null}
    </section>
  );
}

/** Shows the date in the reader's time zone. The server doesn't know the time zone, so a prerendered page has no date. */
function Day({ of }: { of: string }) {
  return <time dateTime={of}>{useHydrated() ? days.format(new Date(of)) : ''}</time>;
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
