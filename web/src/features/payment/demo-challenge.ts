import styles from './demo-stripe.module.css';
import { makeElement } from './make-element.ts';

const TITLE = 'demo-challenge';

/**
 * Shows a dialog that simulates a bank's 3-D Secure challenge. Resolves with true if the shopper clicks Complete, or
 * with false if they click Fail or press Escape. `amount` is in the currency's smallest unit.
 */
export function askAsTheBank(amount: number): Promise<boolean> {
  const question = `Your bank asks: are you paying ৳${(amount / 100).toLocaleString('en-US')} to Micro Center?`;
  const complete = makeElement('button', styles.primary, { type: 'button', textContent: 'Complete' });
  const fail = makeElement('button', '', { type: 'button', textContent: 'Fail' });
  const dialog = makeElement(
    'div',
    styles.dialog,
    {},
    makeElement('h2', '', { id: TITLE, textContent: '3-D Secure' }),
    makeElement('p', '', { textContent: question }),
    makeElement('div', styles.buttons, {}, complete, fail),
  );
  dialog.setAttribute('role', 'dialog');
  dialog.setAttribute('aria-modal', 'true');
  dialog.setAttribute('aria-labelledby', TITLE);
  const backdrop = makeElement('div', styles.backdrop, {}, dialog);

  return new Promise((resolve) => {
    const before = document.activeElement;
    const answer = (confirmed: boolean) => {
      backdrop.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(confirmed);
    };
    complete.addEventListener('click', () => answer(true));
    fail.addEventListener('click', () => answer(false));
    dialog.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') answer(false);
      if (event.key !== 'Tab') return;
      event.preventDefault();
      (document.activeElement === complete ? fail : complete).focus();
    });
    document.body.append(backdrop);
    complete.focus();
  });
}
