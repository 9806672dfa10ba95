import type { AnyDocument } from './documents.ts';

/** What a list's `q` is looked for in: lower-cased here, so that stores which lower ASCII letters alone find the same. */
export function searchText(document: AnyDocument): string {
  return searchedFields(document).join('\n').toLowerCase();
}

function searchedFields(document: AnyDocument): string[] {
  switch (document.kind) {
    case 'order':
      return [document.id, document.product, document.name, document.email, document.phone];
    case 'product':
      return [document.name, document.processor, document.gpu, document.description];
    case 'user':
    case 'review':
      return [];
    default:
      return document satisfies never;
  }
}
