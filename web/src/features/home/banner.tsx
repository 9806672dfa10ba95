import { Text, Title } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { LinkButton } from '../../ui/link-button.tsx';
import slides from '../../ui/slides.module.css';
import { CarouselControl, useCarousel } from '../../ui/use-carousel.tsx';
import styles from './banner.module.css';

/** How long a slide is shown, in milliseconds. */
export const BANNER_INTERVAL = 5000;

const SLIDES = [
  {
    kicker: 'Good Price & Best Deals',
    title: 'Great Selection of desktop computer casing',
    text: 'Towers, cubes and open frames, each with its clearances listed, so you know what fits before you buy.',
    image: '/banner/1.svg',
  },
  {
    kicker: 'Our flagship model',
    title: 'FIRST IS A NEW!?',
    text: 'Interchangeable parts with warranty. Swap a panel, a fan or the whole front: every part is available as a spare.',
    image: '/banner/2.svg',
  },
  {
    kicker: 'Gaming casing collection',
    title: 'Easier Than Connecting A Cable',
    text: 'Enjoy All The Gaming In Your Desktop. Airflow first, glass where it shows, cables out of the way.',
    image: '/banner/3.svg',
  },
];

const OWN_ARROW_KEYS = 'input, textarea, select, [contenteditable], [role="dialog"]';

/** The three slides at the top of the home page (H1, H2). */
export function Banner() {
  const { index, show, onKey, handlers, control } = useCarousel({ count: SLIDES.length, interval: BANNER_INTERVAL });

  // Arrow keys change the slide wherever the focus is, except in elements that handle arrow keys themselves.
  useWindowEvent('keydown', (event) => {
    const { target } = event;
    if (event.defaultPrevented || (target instanceof Element && target.closest(OWN_ARROW_KEYS))) return;
    onKey(event);
  });

  return (
    <section
      className={styles.banner}
      aria-roledescription="carousel"
      aria-label="Highlights"
      data-testid="banner"
      {...handlers}
    >
      {SLIDES.map((slide, position) => (
        <Slide key={slide.title} {...slide} position={position} active={position === index} />
      ))}
      <div className={`page ${styles.controls}`}>
        {SLIDES.map(({ title }, position) => (
          <button
            key={title}
            type="button"
            className={styles.dot}
            aria-label={`Slide ${position + 1}: ${title}`}
            aria-current={position === index}
            onClick={() => show(position)}
          />
        ))}
        {control ? <CarouselControl what="the slides" color="gray.0" {...control} /> : null}
      </div>
    </section>
  );
}

type SlideProps = (typeof SLIDES)[number] & { position: number; active: boolean };

function Slide({ kicker, title, text, image, position, active }: SlideProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide isn't a group of form fields
    <div
      className={slides.slide}
      role="group"
      aria-roledescription="slide"
      aria-label={`${position + 1} of ${SLIDES.length}`}
      aria-hidden={!active}
      inert={!active}
    >
      <img
        className={styles.image}
        src={image}
        alt=""
        width={1600}
        height={700}
        draggable={false}
        fetchPriority={position === 0 ? 'high' : 'low'}
      />
      <div className={`page ${styles.words}`}>
        <Text className={styles.kicker}>{kicker}</Text>
        <Title order={2} className={styles.title}>
          {title}
        </Title>
        <Text className={styles.text}>{text}</Text>
        <LinkButton to="/allproducts" size="md" mt="lg" variant="white" className={styles.browse}>
          BROWSE HERE
        </LinkButton>
      </div>
    </div>
  );
}
