import {
  type CardField,
  type CardProblem,
  cardOf,
  digitsOf,
  formatCvc,
  formatExpiry,
  formatNumber,
  problemsOf,
  type TypedCard,
} from './demo-card-rules.ts';
import styles from './demo-stripe.module.css';
import { makeElement } from './make-element.ts';

/** The card field's change event, as the form receives it. */
interface CardChange {
  error: { code: string; message: string } | undefined;
}
type Handler = (change: CardChange) => void;

/** The card element that `elements().create('card')` returns, with only the methods that the form uses. */
export interface DemoCardElement {
  mount(container: HTMLElement): void;
  destroy(): void;
  on(type: string, handler: Handler): void;
  off(type: string, handler: Handler): void;
  /** Returns the card if it is complete and valid. Otherwise marks each wrong field and returns the first problem. */
  readCard(): { card: TypedCard } | { problem: CardProblem };
}

const FIELDS = {
  number: { label: 'Card number', autocomplete: 'cc-number', placeholder: '1234 1234 1234 1234', format: formatNumber },
  expiry: { label: 'Expiry date', autocomplete: 'cc-exp', placeholder: 'MM / YY', format: formatExpiry },
  cvc: { label: 'Security code', autocomplete: 'cc-csc', placeholder: 'CVC', format: formatCvc },
} as const;
const NAMES: CardField[] = ['number', 'expiry', 'cvc'];

/** Creates a card field from plain inputs. The form can use it just like Stripe's own field, which is an iframe. */
export function createDemoCardElement(onDestroy: () => void): DemoCardElement {
  const handlers = new Set<Handler>();
  const inputs = { number: createInput('number'), expiry: createInput('expiry'), cvc: createInput('cvc') };
  /**
   * Fields that count as finished, because the shopper has left them or pressed PAY. Only finished fields are reported
   * as incomplete.
   */
  const finished = new Set<CardField>();
  let container: HTMLElement | null = null;

  const texts = () => ({ number: inputs.number.value, expiry: inputs.expiry.value, cvc: inputs.cvc.value });
  const problems = () => problemsOf(texts(), new Date());

  /**
   * Marks the fields that have a problem, and reports the first problem to the form. A field counts as incomplete only
   * once the shopper has left it or pressed PAY.
   */
  function changed(): void {
    const shown = problems().filter(({ field, incomplete }) => !incomplete || finished.has(field));
    for (const name of NAMES) {
      inputs[name].setAttribute('aria-invalid', String(shown.some(({ field }) => field === name)));
    }
    container?.classList.toggle('StripeElement--invalid', shown.length > 0);
    for (const handler of handlers) handler({ error: shown[0] });
  }

  for (const [index, name] of NAMES.entries()) {
    const input = inputs[name];
    input.addEventListener('input', () => {
      finished.delete(name);
      reformat(input, (text) => FIELDS[name].format(text, inputs.number.value));
      changed();
      const next = inputs[NAMES[index + 1] ?? name];
      const isComplete = !problems().some(({ field }) => field === name);
      if (isComplete && next.value === '' && document.activeElement === input) next.focus();
    });
    input.addEventListener('blur', () => {
      // Report a change only if there's a new problem, because each change replaces the message that the form shows.
      if (input.value === '' || finished.has(name)) return;
      finished.add(name);
      if (problems().some(({ field, incomplete }) => field === name && incomplete)) changed();
    });
  }

  return {
    mount(target) {
      container = target;
      container.replaceChildren(
        makeElement('div', styles.fields, {}, ...NAMES.map((name) => labelled(name, inputs[name]))),
      );
    },
    destroy() {
      container?.replaceChildren();
      handlers.clear();
      onDestroy();
    },
    on: (type, handler) => void (type === 'change' && handlers.add(handler)),
    off: (_type, handler) => void handlers.delete(handler),
    readCard() {
      const [problem] = problems();
      if (!problem) return { card: cardOf(texts()) };
      for (const name of NAMES) finished.add(name);
      changed();
      return { problem };
    },
  };
}

function createInput(name: CardField): HTMLInputElement {
  const { autocomplete, placeholder } = FIELDS[name];
  const input = { type: 'text', inputMode: 'numeric', name: `card-${name}`, autocomplete, placeholder } as const;
  return makeElement('input', styles.input, input);
}

function labelled(name: CardField, input: HTMLInputElement): HTMLElement {
  const words = makeElement('span', styles.label, { textContent: FIELDS[name].label });
  const label = makeElement('label', styles.field, {}, words, input);
  if (name === 'number' && styles.number) label.classList.add(styles.number);
  return label;
}

/** Formats the input's text and keeps the caret after the same digit. */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret >= input.value.length;
  const before = digitsOf(input.value.slice(0, caret)).length;
  input.value = format(input.value);
  if (atEnd) return;
  let position = 0;
  for (let passed = 0; passed < before && position < input.value.length; position += 1) {
    if (/\d/.test(input.value.charAt(position))) passed += 1;
  }
  input.setSelectionRange(position, position);
}
