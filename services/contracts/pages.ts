/**
 * A page of the web client. A parameter such as `:id` in its path matches any single segment. Search engines may index
 * only `listed` pages. Anyone who knows a `secret` page's URL can read the page, so nothing may cache it (TRACK3).
 */
export interface Page {
  readonly path: string;
  readonly listed: boolean;
  readonly secret?: true;
}

const page = (path: string): Page => ({ path, listed: false });
const listedPage = (path: string): Page => ({ path, listed: true });
const secretPage = (path: string): Page => ({ path, listed: false, secret: true });

/** A product's own page. Every product is listed for search engines under its own URL. */
export const ITEM_PAGE = '/items/:id';
/** The pages where a shopper buys a product and pays for an order. Before sign-in, both pages show only public content. */
export const BUY_PAGE = '/buypage/:id';
export const PAYMENT_PAGE = '/dashboard/payment/:id';

export const PAGES: readonly Page[] = [
  listedPage('/'),
  listedPage('/allproducts'),
  listedPage('/blogs'),
  listedPage('/myportfolio'),
  listedPage(ITEM_PAGE),
  page('/login'),
  page('/signup'),
  page(BUY_PAGE),
  secretPage('/track/:token'),
  page('/dashboard'),
  page('/dashboard/profile'),
  page('/dashboard/addreview'),
  page('/dashboard/myorders'),
  page('/dashboard/myorders/:id'),
  page(PAYMENT_PAGE),
  page('/dashboard/allUsers'),
  page('/dashboard/allorder'),
  page('/dashboard/slips'),
  page('/dashboard/money'),
  page('/dashboard/addproduct'),
  page('/dashboard/manageproduct'),
  page('/dashboard/manageproduct/:id'),
];

/**
 * Finds the page at `path`, matching it as the client's router does: case-insensitively, and with or without a trailing
 * slash.
 */
export function pageAt(path: string): Page | null {
  const segments = segmentsOf(path);
  return PAGES.find((page) => matches(segmentsOf(page.path), segments)) ?? null;
}

function segmentsOf(path: string): string[] {
  return path.toLowerCase().split('/').filter(Boolean);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith(':') || part === segments[index])
  );
}
