/** The measured figures by name. Each name includes the unit. */
export type Figures = Readonly<Record<string, number>>;

/** A group of rows of the results table that are measured together. */
export interface Family {
  /** the name to pass to `--only` */
  readonly name: string;
  /** measures the shop in the checkout at `root` */
  measure(root: string): Promise<Figures>;
  /** measures the same figures on the floor server, in turns with the shops */
  floor?(url: string): Promise<Figures>;
  /** each figure's goal, keyed by the figure's name */
  readonly goals: Readonly<Record<string, string>>;
}
