import { productSearchText } from '../contracts/search.ts';
import type { AnyDocument } from './documents.ts';

/** What a list's `q` is looked for in: lower-cased here, so that stores which lower ASCII letters alone find the same. */
export function searchText(document: AnyDocument): string {
  switch (document.kind) {
    case 'order': {
      const { id, product, name, email, phone } = document;
      return [id, product, name, email, phone].join('\n').toLowerCase();
    }
    case 'product':
      return productSearchText(document);
    case 'user':
    case 'review':
      return '';
    default:
      return document satisfies never;
  }
}
