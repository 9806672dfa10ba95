declare global {
  interface Window {
    /**
     * Defined by public/before-scripts.js. Stops recording button presses, and returns the buttons that were pressed
     * before the scripts ran.
     */
    takeEarlyPresses?: () => readonly HTMLButtonElement[];
  }
}

/**
 * Collects the field changes and button presses that the user made before the page's scripts ran. Call this only once,
 * just before React starts listening for events. Returns a function that replays these actions.
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

/**
 * Sets a field's property, then dispatches the event that the user's action would have fired. The property is set with
 * the prototype's setter, because React ignores the event if the property was set with the element's own setter. For a
 * checkbox, `set` must be the opposite of the user's choice, because the dispatched click toggles the checkbox.
 */
function tell(field: Element, event: string, property: string, set: unknown): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), property)?.set?.call(field, set);
  field.dispatchEvent(new MouseEvent(event, { bubbles: true }));
}
