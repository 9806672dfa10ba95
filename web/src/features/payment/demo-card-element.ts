import type { StripeCardElementChangeEvent, StripeCardElementOptions } from '@stripe/stripe-js';
import {
  brandOf,
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

type Handler = (event: unknown) => void;
type Options = Pick<StripeCardElementOptions, 'disabled'>;

/** What `elements().create('card')` gives: the part of Stripe's card element that a form uses. */
export interface DemoCardElement {
  mount(container: string | HTMLElement): void;
  unmount(): void;
  destroy(): void;
  on(type: string, handler: Handler): DemoCardElement;
  off(type: string, handler?: Handler): DemoCardElement;
  once(type: string, handler: Handler): DemoCardElement;
  update(options: Options): void;
  focus(): void;
  blur(): void;
  clear(): void;
  /** The card once it is complete; otherwise marks the first field that is not, and says what is wrong with it. */
  readCard(): { card: TypedCard } | { problem: CardProblem };
}

const FIELDS = {
  number: { label: 'Card number', autocomplete: 'cc-number', placeholder: '1234 1234 1234 1234' },
  expiry: { label: 'Expiry date', autocomplete: 'cc-exp', placeholder: 'MM / YY' },
  cvc: { label: 'Security code', autocomplete: 'cc-csc', placeholder: 'CVC' },
} as const;
const NAMES = Object.keys(FIELDS) as CardField[];

/** A card field of plain inputs that behaves towards the form as Stripe's own, which lives in a frame of Stripe's. */
export function createDemoCardElement(options: Options, now: () => Date, onDestroy: () => void): DemoCardElement {
  const handlers = new Map<string, Set<Handler>>();
  const inputs = Object.fromEntries(NAMES.map((name) => [name, createInput(name)])) as Record<
    CardField,
    HTMLInputElement
  >;
  /** fields whose incompleteness is worth saying: left, or asked for by a payment */
  const finished = new Set<CardField>();
  let container: HTMLElement | null = null;

  const texts = () => ({ number: inputs.number.value, expiry: inputs.expiry.value, cvc: inputs.cvc.value });
  const emit = (type: string, event: object = {}) => {
    for (const handler of [...(handlers.get(type) ?? [])]) handler({ elementType: 'card', ...event });
  };

  /** Marks the fields with what is wrong so far, and tells the form. */
  function changed(): void {
    const all = problemsOf(texts(), now());
    const shown = all.filter(({ field, incomplete }) => !incomplete || finished.has(field));
    for (const name of NAMES) {
      inputs[name].setAttribute('aria-invalid', String(shown.some(({ field }) => field === name)));
    }
    const [first] = shown;
    const empty = NAMES.every((name) => inputs[name].value === '');
    container?.classList.toggle('StripeElement--invalid', first !== undefined);
    container?.classList.toggle('StripeElement--complete', all.length === 0);
    container?.classList.toggle('StripeElement--empty', empty);
    const event: StripeCardElementChangeEvent = {
      elementType: 'card',
      brand: brandOf(digitsOf(texts().number)),
      complete: all.length === 0,
      empty,
      error: first && { type: 'validation_error', code: first.code, message: first.message },
      value: { postalCode: '' },
    };
    emit('change', event);
  }

  function typed(name: CardField): void {
    finished.delete(name);
    reformat(
      inputs[name],
      formatterOf(name, () => inputs.number.value),
    );
    changed();
    const complete = !problemsOf(texts(), now()).some(({ field }) => field === name);
    const next = name === 'number' ? inputs.expiry : name === 'expiry' ? inputs.cvc : null;
    if (complete && next?.value === '' && document.activeElement === inputs[name]) next.focus();
  }

  for (const name of NAMES) {
    const input = inputs[name];
    input.addEventListener('input', () => typed(name));
    input.addEventListener('focus', () => {
      container?.classList.add('StripeElement--focus');
      emit('focus');
    });
    input.addEventListener('blur', () => {
      container?.classList.remove('StripeElement--focus');
      emit('blur');
      // A change is told only where something is new: the form forgets its last message with each one.
      if (input.value === '' || finished.has(name)) return;
      finished.add(name);
      if (problemsOf(texts(), now()).some(({ field, incomplete }) => field === name && incomplete)) changed();
    });
    input.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') emit('escape');
    });
  }
  const setDisabled = (disabled: boolean) => {
    for (const name of NAMES) inputs[name].disabled = disabled;
  };
  setDisabled(options.disabled ?? false);

  const element: DemoCardElement = {
    mount(target) {
      container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
      if (!container) throw new Error(`The container ${String(target)} is not in the document.`);
      container.classList.add('StripeElement', 'StripeElement--empty');
      container.replaceChildren(fieldsOf(inputs));
      // As at Stripe, after mount() has returned: the form attaches its handlers only then.
      queueMicrotask(() => emit('ready'));
    },
    unmount() {
      container?.replaceChildren();
      container = null;
    },
    destroy() {
      element.unmount();
      handlers.clear();
      onDestroy();
    },
    on(type, handler) {
      handlers.set(type, (handlers.get(type) ?? new Set()).add(handler));
      return element;
    },
    off(type, handler) {
      if (handler) handlers.get(type)?.delete(handler);
      else handlers.delete(type);
      return element;
    },
    once(type, handler) {
      const first: Handler = (event) => {
        element.off(type, first);
        handler(event);
      };
      return element.on(type, first);
    },
    update({ disabled }) {
      if (disabled !== undefined) setDisabled(disabled);
    },
    focus: () => inputs.number.focus(),
    blur() {
      for (const name of NAMES) inputs[name].blur();
    },
    clear() {
      for (const name of NAMES) inputs[name].value = '';
      finished.clear();
      changed();
    },
    readCard() {
      const [problem] = problemsOf(texts(), now());
      if (!problem) return { card: cardOf(texts()) };
      for (const name of NAMES) finished.add(name);
      changed();
      return { problem };
    },
  };
  return element;
}

function createInput(name: CardField): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'text';
  input.inputMode = 'numeric';
  input.name = `card-${name}`;
  input.placeholder = FIELDS[name].placeholder;
  input.setAttribute('autocomplete', FIELDS[name].autocomplete);
  input.setAttribute('aria-invalid', 'false');
  input.className = styles.input ?? '';
  return input;
}

function fieldsOf(inputs: Record<CardField, HTMLInputElement>): HTMLElement {
  const row = document.createElement('div');
  row.className = styles.fields ?? '';
  for (const name of NAMES) {
    const label = document.createElement('label');
    label.className = [styles.field, name === 'number' && styles.number].filter(Boolean).join(' ');
    const words = document.createElement('span');
    words.className = styles.label ?? '';
    words.textContent = FIELDS[name].label;
    label.append(words, inputs[name]);
    row.append(label);
  }
  return row;
}

function formatterOf(name: CardField, number: () => string): (text: string) => string {
  if (name === 'number') return formatNumber;
  return name === 'expiry' ? formatExpiry : (text) => formatCvc(text, number());
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
