/** Returns `text` with its Bengali digits replaced by Latin ones. */
export function latinDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

/** Returns `text` with Latin digits, in NFKC because some Bengali letters have two encodings. */
export function plainText(text: string): string {
  return latinDigits(text.normalize('NFKC'));
}
