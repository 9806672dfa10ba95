/** Something that the person who starts the shop can mend: its message is one readable line, and no stack is shown. */
export class ReadableError extends Error {
  override readonly name: string = 'ReadableError';
}
