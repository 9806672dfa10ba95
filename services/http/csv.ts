/** Without a byte order mark, Excel reads a file in the system's code page and garbles Bengali names. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Formats a line of CSV (RFC 4180). Text that a spreadsheet would interpret as a formula, also in full-width characters, is
 * prefixed with an apostrophe (BOARD3). Text that another separator would split is quoted, too.
 */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map((field) => (typeof field === 'number' ? String(field) : textField(field))).join(',')}\r\n`;
}

function textField(text: string): string {
  const safe = /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
