/** An error that the operator can fix. Its message is one readable line and is shown without a stack trace. */
export class ReadableError extends Error {
  override readonly name: string = 'ReadableError';
}
