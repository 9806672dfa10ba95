import { z } from 'zod';
import type { AnyDocument, Documents } from '../../contracts/documents.ts';
import type { DocumentKind } from '../../contracts/ids.ts';
import type { ProductDocument } from '../../contracts/product/product-document.ts';
import type { ListKind, ListRequests, PageRequest, ProductListRequest } from './read-models.ts';

export type SortField = 'createdAt' | 'price' | 'name';

/** A list's sort order: a document field and a direction. Ties are broken by id, in the same direction. */
export interface SortOrder<K extends DocumentKind> {
  readonly name: string;
  readonly field: SortField;
  readonly direction: 'ascending' | 'descending';
  readonly keySchema: z.ZodType<string | number>;
  readonly keyOf: (document: Documents[K]) => string | number;
}

function byCreation<K extends DocumentKind>({ sort }: PageRequest): SortOrder<K> {
  return {
    name: sort,
    field: 'createdAt',
    direction: sort === 'oldest' ? 'ascending' : 'descending',
    keySchema: z.string(),
    keyOf: ({ createdAt }: AnyDocument) => createdAt,
  };
}

function productOrder(request: ProductListRequest): SortOrder<'product'> {
  switch (request.order) {
    case 'price':
    case '-price':
      return {
        name: request.order,
        field: 'price',
        direction: request.order === 'price' ? 'ascending' : 'descending',
        keySchema: z.number(),
        keyOf: ({ price }: ProductDocument) => price,
      };
    case 'name':
      return {
        name: 'name',
        field: 'name',
        direction: 'ascending',
        keySchema: z.string(),
        keyOf: ({ name }: ProductDocument) => name,
      };
    case undefined:
      return byCreation(request);
    default:
      return request.order satisfies never;
  }
}

export const SORT_ORDERS: { readonly [K in ListKind]: (request: ListRequests[K]) => SortOrder<K> } = {
  order: byCreation,
  product: productOrder,
  user: byCreation,
  review: byCreation,
};
