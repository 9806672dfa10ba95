import { Input } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import styles from './star-picker.module.css';

const STARS = [1, 2, 3, 4, 5] as const;
const WORDS = ['', 'Poor', 'Fair', 'Good', 'Very good', 'Excellent'] as const;

interface StarPickerProps {
  label: string;
  /** a whole number from 1 to 5 selects that star, and any other value, such as '', selects none */
  value?: number | string;
  onChange?: (value: number) => void;
  error?: ReactNode;
  'data-path'?: string;
}

/** Radio buttons that look like stars. Only whole stars can be selected, because ratings are shown in whole stars. */
export function StarPicker({ label, value = '', onChange, error, 'data-path': path }: StarPickerProps) {
  const id = useId();
  const chosen = Number(value);
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={error ? `${id}-error` : undefined}
      aria-invalid={error ? true : undefined}
      aria-required
    >
      <Input.Label required size="md" labelElement="div" id={`${id}-label`}>
        {label}
      </Input.Label>
      <div className={styles.stars}>
        {STARS.map((star) => (
          <label key={star} className={styles.star}>
            <input
              type="radio"
              name={id}
              value={star}
              checked={chosen === star}
              onChange={() => onChange?.(star)}
              aria-label={`${star} ${star === 1 ? 'star' : 'stars'}, ${WORDS[star].toLowerCase()}`}
              // Marks the input that the form focuses: the checked star, or the first star if none is checked.
              data-path={star === (WORDS[chosen] ? chosen : 1) ? path : undefined}
            />
            <IconStar size={32} stroke={1.5} aria-hidden="true" />
          </label>
        ))}
        <span className={styles.words} aria-hidden="true">
          {WORDS[chosen]}
        </span>
      </div>
      {error ? <Input.Error id={`${id}-error`}>{error}</Input.Error> : null}
    </div>
  );
}
