/**
 * A page of the web client, as its router writes the path (`:id` is any one segment). What is `listed` is for search engines; no
 * other page is to be found by them.
 */
export interface Page {
  readonly path: string;
  readonly listed: boolean;
}

const page = (path: string): Page => ({ path, listed: false });
const listedPage = (path: string): Page => ({ path, listed: true });

/** Every page of the web client. Any other path shows its 404 page. */
export const PAGES: readonly Page[] = [
  listedPage('/'),
  listedPage('/allproducts'),
  listedPage('/blogs'),
  listedPage('/myportfolio'),
  page('/login'),
  page('/signup'),
  page('/buypage/:id'),
  page('/dashboard'),
  page('/dashboard/profile'),
  page('/dashboard/addreview'),
  page('/dashboard/myorders'),
  page('/dashboard/payment/:id'),
  page('/dashboard/allUsers'),
  page('/dashboard/allorder'),
  page('/dashboard/addproduct'),
  page('/dashboard/manageproduct'),
  page('/dashboard/manageproduct/:id'),
];

/** The page that a path leads to, as the router finds it: in any case, with or without a slash at the end; null for none. */
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
