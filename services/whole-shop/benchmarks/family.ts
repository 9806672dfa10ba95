/** Figures by what they say, unit included. */
export type Figures = Readonly<Record<string, number>>;

/** Rows that are measured together. */
export interface Family {
  /** as `--only` takes it */
  readonly name: string;
  /** of the checkout in `root` */
  measure(root: string): Promise<Figures>;
  /** of a server that does nothing else, measured between the shops */
  floor?(url: string): Promise<Figures>;
  /** by the same names */
  readonly goals: Readonly<Record<string, string>>;
}
