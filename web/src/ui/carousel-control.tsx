import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';

interface CarouselControlProps extends ActionIconProps {
  /** what moves: 'the slides' */
  what: string;
  stopped: boolean;
  onToggle: () => void;
}

/** Stops a carousel that goes on by itself, and lets it go on again. */
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
