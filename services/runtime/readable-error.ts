/** An error that the operator can fix. Its message is one readable line and is shown without a stack trace. */
export class ReadableError extends Error {
  override readonly name: string = 'ReadableError';
  /** Tells reasonOf() to print only the message. Plain JavaScript that runs before the build can't import this class. */
  readonly isReadable = true;
}
