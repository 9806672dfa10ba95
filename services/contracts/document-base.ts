/** What every document has. */
export interface DocumentBase {
  readonly id: string;
  readonly version: number;
  /** The time of the stream's first event. Lists are sorted by (createdAt, id), and neither field ever changes (LIST1). */
  readonly createdAt: string;
}
