import styles from './demo-stripe.module.css';

/**
 * Asks what a bank would ask in 3-D Secure, in a dialog of this page: true when the person confirms. Escape says no.
 * `amount` in the currency's smallest unit.
 */
export function askAsTheBank(amount: number): Promise<boolean> {
  const backdrop = document.createElement('div');
  backdrop.className = styles.backdrop ?? '';
  const title = `demo-challenge-${crypto.randomUUID()}`;
  const dialog = document.createElement('div');
  dialog.className = styles.dialog ?? '';
  for (const [name, value] of [
    ['role', 'dialog'],
    ['aria-modal', 'true'],
    ['aria-labelledby', title],
  ] as const) {
    dialog.setAttribute(name, value);
  }
  const heading = document.createElement('h2');
  heading.id = title;
  heading.textContent = '3-D Secure';
  const text = document.createElement('p');
  text.textContent = `Your bank asks: are you paying ৳${(amount / 100).toLocaleString('en-US')} to Micro Center?`;
  const [complete, fail] = [button('Complete', styles.primary), button('Fail')];
  const buttons = document.createElement('div');
  buttons.className = styles.buttons ?? '';
  buttons.append(complete, fail);
  dialog.append(heading, text, buttons);
  backdrop.append(dialog);

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

function button(words: string, className = ''): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = words;
  made.className = className;
  return made;
}
