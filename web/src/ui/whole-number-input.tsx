import { TextInput, type TextInputProps } from '@mantine/core';

interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: number | string;
  onChange?: (value: number | string) => void;
}

/** Above this a number would lose its last digits. */
const MOST_DIGITS = 15;

/**
 * A field for a quantity. Its value is a number if a whole number is typed, and the raw text otherwise: '2.5' must be
 * refused, not become 25.
 */
export function WholeNumberInput({ value = '', onChange, ...input }: WholeNumberInputProps) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      maxLength={MOST_DIGITS}
      {...input}
      value={String(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange?.(/^\s*[0-9]+\s*$/.test(text) ? Number(text) : text);
      }}
    />
  );
}
