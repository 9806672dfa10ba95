/** Excel takes a file for its own code page without this, and Bengali names for something else. */
export const BYTE_ORDER_MARK = '\ufeff';

/** One line of RFC 4180. A text that a spreadsheet would take for a formula begins with an apostrophe (BOARD3). */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map((field) => (typeof field === 'number' ? String(field) : textField(field))).join(',')}\r\n`;
}

function textField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
