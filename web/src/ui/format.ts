const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const broken = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/**
 * Formats an amount with thousands separators, and with two decimals unless it's a whole number: 1250 -> '1,250',
 * 1250.5 -> '1,250.50'.
 */
export function formatAmount(amount: number): string {
  return (Number.isInteger(amount) ? whole : broken).format(amount);
}

/** Formats a price in taka: 1250.5 -> '৳1,250.50'. */
export function formatTaka(taka: number): string {
  return `৳${formatAmount(taka)}`;
}

/** Formats an ISO 8601 time in the reader's own time zone: '21 Jul 2025, 14:05'. */
export function formatTime(iso: string): string {
  return timeFormat.format(new Date(iso));
}
