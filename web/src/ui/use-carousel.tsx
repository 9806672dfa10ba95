import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';

/** The minimum length of a swipe, in pixels. A shorter movement counts as a tap. */
const SWIPE_THRESHOLD = 40;

/**
 * The button that stops and restarts the carousel. Focusing this button doesn't pause the carousel. Otherwise, a
 * carousel that was restarted from the keyboard would stay paused.
 */
const OWN_CONTROL = '[data-carousel-control]';

/**
 * Decides which of `count` slides is shown. The carousel advances every `interval` milliseconds, unless it is hovered,
 * touched, focused or stopped, or the user prefers reduced motion. Arrow keys and swipes move it. It wraps at both
 * ends.
 */
export function useCarousel({ count, interval }: { count: number; interval: number }) {
  const [shown, setShown] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [touched, setTouched] = useState(false);
  const [focused, setFocused] = useState(false);
  const still = useReducedMotion();
  const index = count === 0 ? 0 : shown % count;

  const move = useCallback(
    (by: number) => setShown((current) => (count === 0 ? 0 : (current + by + count) % count)),
    [count],
  );

  // Content that moves automatically needs a control that stops it (WCAG 2.2.2).
  const moving = !still && count > 1;
  const running = moving && !(hovered || touched || focused || stopped);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `index` restarts the timer for each slide
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => move(1), interval);
    return () => clearTimeout(timer);
  }, [running, interval, move, index]);

  const onKey = useCallback(
    (event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'preventDefault'>) => {
      // With Alt or Command, the arrow keys move through the browser's history.
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      move(event.key === 'ArrowRight' ? 1 : -1);
    },
    [move],
  );

  const swipe = useSwipe(move, setTouched);
  const handlers = {
    ...swipe,
    onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType === 'mouse'),
    onPointerLeave: () => {
      setHovered(false);
      swipe.onPointerCancel();
    },
    // A click sets the focus too, but `:focus-visible` matches only if the user is navigating with the keyboard.
    onFocus: ({ target }: FocusEvent) => setFocused(target.matches(':focus-visible') && !target.matches(OWN_CONTROL)),
    onBlur: () => setFocused(false),
  };
  const control = { stopped, onToggle: () => setStopped(!stopped) };
  return { index, show: setShown, onKey, handlers, control: moving ? control : null };
}

function useSwipe(move: (by: number) => void, setTouched: (touched: boolean) => void) {
  const start = useRef<number | null>(null);
  const swiped = useRef(false);

  const end = () => {
    start.current = null;
    setTouched(false);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      swiped.current = false;
      start.current = event.clientX;
      setTouched(true);
    },
    onPointerUp: (event: PointerEvent) => {
      const distance = start.current === null ? 0 : event.clientX - start.current;
      end();
      if (Math.abs(distance) < SWIPE_THRESHOLD) return;
      swiped.current = true;
      setTimeout(() => {
        swiped.current = false;
      });
      move(distance < 0 ? 1 : -1);
    },
    onPointerCancel: end,
    // A swipe that ends on a link must not follow the link.
    onClickCapture: (event: MouseEvent) => {
      if (!swiped.current) return;
      swiped.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    onDragStart: (event: MouseEvent) => event.preventDefault(),
  };
}

interface CarouselControlProps extends ActionIconProps {
  /** what the button's label calls the moving content, such as 'the slides' */
  what: string;
  stopped: boolean;
  onToggle: () => void;
}

/** Stops and restarts a carousel. */
export function CarouselControl({ what, stopped, onToggle, ...rest }: CarouselControlProps) {
  return (
    <ActionIcon
      {...rest}
      variant="transparent"
      onClick={onToggle}
      aria-label={stopped ? `Let ${what} move` : `Stop ${what}`}
      data-carousel-control
    >
      {stopped ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
    </ActionIcon>
  );
}
