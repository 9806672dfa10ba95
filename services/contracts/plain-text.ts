/** Returns `text` with Bengali digits replaced by Latin digits. */
export function latinDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

/** Returns `text` with Latin digits. The text is normalized to NFKC, because some Bengali letters have two encodings. */
export function plainText(text: string): string {
  return latinDigits(text.normalize('NFKC'));
}
