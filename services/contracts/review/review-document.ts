import type { DocumentBase } from '../document-base.ts';

export interface ReviewDocument extends DocumentBase {
  readonly kind: 'review';
  /** the user id of the customer who posted the review */
  readonly author: string;
  readonly name: string;
  readonly ratings: number;
  readonly username: string;
  readonly description: string;
}
