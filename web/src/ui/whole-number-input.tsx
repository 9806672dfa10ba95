import { TextInput, type TextInputProps } from '@mantine/core';

interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value?: number | string;
  onChange?: (value: number | string) => void;
}

/** More digits are no quantity, and would lose their last ones as a number. */
const MOST_DIGITS = 15;

/**
 * A quantity. Its value is a number where a whole one is typed, and otherwise the text as it stands: whoever types '2.5'
 * is to be told so, and not to order 25.
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
