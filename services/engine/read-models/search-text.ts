import type { AnyDocument } from '../../contracts/documents.ts';
import { searchTexts } from '../../contracts/search-text.ts';

/**
 * What a list's `q` is looked for in; '' for documents whose list is not searched. Always well-formed: a store hands half of
 * a surrogate pair back as another text, which an index would then not find to take out.
 */
export function searchText(document: AnyDocument): string {
  return textOf(document).replace(/\p{Surrogate}/gu, '\ufffd');
}

function textOf(document: AnyDocument): string {
  switch (document.kind) {
    case 'order':
      return searchTexts.order(document.id, document);
    case 'product':
      return searchTexts.product(document);
    case 'user':
      return searchTexts.user(document);
    case 'review':
      return '';
    default:
      return document satisfies never;
  }
}
