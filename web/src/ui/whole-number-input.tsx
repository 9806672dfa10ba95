import { TextInput, type TextInputProps } from '@mantine/core';
import { latinDigits } from '@micro-center/services/contracts/plain-text.ts';

interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: number | string;
  onChange?: (value: number | string) => void;
}

/** The maximum number of digits. A longer number would lose precision. */
const MOST_DIGITS = 15;

/**
 * A field for a quantity. If the user types a whole number, in Latin or Bengali digits, the value is that number.
 * Otherwise, the value is the raw text, so that the form rejects '2.5' instead of reading it as 25.
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
        const latin = latinDigits(text);
        onChange?.(/^\s*[0-9]+\s*$/.test(latin) ? Number(latin) : text);
      }}
    />
  );
}
