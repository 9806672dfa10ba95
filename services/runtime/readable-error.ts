/** An error that the operator can fix: its message is one readable line, shown without a stack. */
export class ReadableError extends Error {
  override readonly name: string = 'ReadableError';
}
