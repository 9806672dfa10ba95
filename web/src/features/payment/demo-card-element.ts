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

/** What the card field tells the form with each change. */
interface CardChange {
  error: { code: string; message: string } | undefined;
}
type Handler = (change: CardChange) => void;

/** What `elements().create('card')` gives: the part of Stripe's card element that a form uses. */
export interface DemoCardElement {
  mount(container: HTMLElement): void;
  destroy(): void;
  on(type: string, handler: Handler): void;
  off(type: string, handler: Handler): void;
  /** The card once it is complete; otherwise marks the first field that is not, and says what is wrong with it. */
  readCard(): { card: TypedCard } | { problem: CardProblem };
}

const FIELDS = {
  number: { label: 'Card number', autocomplete: 'cc-number', placeholder: '1234 1234 1234 1234', format: formatNumber },
  expiry: { label: 'Expiry date', autocomplete: 'cc-exp', placeholder: 'MM / YY', format: formatExpiry },
  cvc: { label: 'Security code', autocomplete: 'cc-csc', placeholder: 'CVC', format: formatCvc },
} as const;
const NAMES: CardField[] = ['number', 'expiry', 'cvc'];

/** A card field of plain inputs that behaves towards the form as Stripe's own, which lives in a frame of Stripe's. */
export function createDemoCardElement(onDestroy: () => void): DemoCardElement {
  const handlers = new Set<Handler>();
  const inputs = { number: createInput('number'), expiry: createInput('expiry'), cvc: createInput('cvc') };
  /** fields whose incompleteness is worth saying: left, or asked for by a payment */
  const finished = new Set<CardField>();
  let container: HTMLElement | null = null;

  const texts = () => ({ number: inputs.number.value, expiry: inputs.expiry.value, cvc: inputs.cvc.value });
  const problems = () => problemsOf(texts(), new Date());

  /** Marks the fields with what is wrong so far, and tells the form. */
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
      // A change is told only where something is new: the form forgets its last message with each one.
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

/** Formats what was typed and keeps the caret behind the digit that it was behind. */
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
