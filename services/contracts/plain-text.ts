/** `text` with Bengali digits as the Latin ones. */
export function latinDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

/** `text` in one encoding, since some Bengali letters have two (NFKC), and with Latin digits. */
export function plainText(text: string): string {
  return latinDigits(text.normalize('NFKC'));
}
