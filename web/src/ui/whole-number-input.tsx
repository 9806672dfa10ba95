import { TextInput, type TextInputProps } from '@mantine/core';
import { latinDigits } from '@micro-center/services/contracts/plain-text.ts';

interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: number | string;
  onChange?: (value: number | string) => void;
}

/** Above this a number would lose its last digits. */
const MOST_DIGITS = 15;

/**
 * A field for a quantity. Its value is a number if a whole number is typed, in Latin or Bengali digits, and the raw text
 * otherwise: '2.5' must be refused, not become 25.
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
