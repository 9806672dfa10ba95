import escapeHtml from 'escape-html';

/** Text that is already HTML. `html` inserts it as it is, and escapes every other value. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | readonly Html[] | string | number | null;

/** Builds HTML from a template. Strings and numbers in it are escaped, and null leaves nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index] ?? null)).join(''));
}

function textOf(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : escapeHtml(String(value));
}
