declare global {
  interface Window {
    /** of public/before-scripts.js: the buttons that were pressed so far, the last ones that it remembers */
    takeEarlyPresses?: () => readonly HTMLButtonElement[];
  }
}

/**
 * Collects what a user has done to a prerendered page before its scripts were listening. Call it once, just before React begins
 * to listen. Returns a function that repeats all of it.
 */
export function takeEarlyActs(page: Element): () => void {
  const acts = [...page.querySelectorAll('input, select')].flatMap((field) =>
    field instanceof HTMLSelectElement ? choiceOf(field) : entryOf(field as HTMLInputElement),
  );
  for (const button of window.takeEarlyPresses?.() ?? []) acts.push(() => button.isConnected && button.click());
  return () => {
    for (const act of acts) act();
  };
}

type Act = () => unknown;

function choiceOf(field: HTMLSelectElement): Act[] {
  const { value, options } = field;
  const begun = [...options].find(({ defaultSelected }) => defaultSelected) ?? options[0];
  return value === begun?.value ? [] : [() => tell(field, 'change', 'value', value)];
}

function entryOf(field: HTMLInputElement): Act[] {
  const { type, value, checked } = field;
  if (type === 'checkbox')
    return checked === field.defaultChecked ? [] : [() => tell(field, 'click', 'checked', !checked)];
  return value === field.defaultValue ? [] : [() => tell(field, 'input', 'value', value)];
}

/** React takes what is set on an element for known, but not what is set by its prototype. A click ticks by itself. */
function tell(field: Element, event: string, property: string, set: unknown): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, set);
  field.dispatchEvent(new MouseEvent(event, { bubbles: true }));
}
