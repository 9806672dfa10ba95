import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useKeptFocus } from './use-kept-focus.ts';

function Form({ sending, refused }: { sending: boolean; refused: boolean }) {
  useKeptFocus();
  return (
    <>
      <form>
        <button type="submit" disabled={sending}>
          Send
        </button>
        {refused ? (
          <p role="alert" data-focus-heir tabIndex={-1}>
            No.
          </p>
        ) : null}
      </form>
      <p>{String(sending)}</p>
    </>
  );
}

afterEach(cleanup);

it.each([
  ['goes back to the submit button once the button is enabled again', false, 'button'],
  ['goes to the message that says why the form was rejected', true, 'alert'],
])('R19 after a form is sent, the focus %s', async (_what, refused, role) => {
  const { rerender } = render(<Form sending={false} refused={false} />);
  const button = screen.getByRole('button', { name: 'Send' });
  act(() => button.focus());
  // Browsers remove the focus from a button when it is disabled.
  act(() => button.blur());
  rerender(<Form sending refused={false} />);
  expect(document.activeElement).toBe(document.body);
  rerender(<Form sending={false} refused={refused} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role)));
});

it('R19 after a form is sent, the focus is not restored if the user had already moved it away from the submit button', async () => {
  const { rerender } = render(<Form sending={false} refused={false} />);
  const button = screen.getByRole('button', { name: 'Send' });
  await act(async () => button.focus());
  await act(async () => button.blur());
  await act(async () => rerender(<Form sending refused />));
  await act(async () => rerender(<Form sending={false} refused />));
  expect(document.activeElement).toBe(document.body);
});
