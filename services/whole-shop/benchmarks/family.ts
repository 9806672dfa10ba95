/** The measured figures by name. Each name includes the unit. */
export type Figures = Readonly<Record<string, number>>;

/** A group of figures that are measured together. Each figure is a row of the results table. */
export interface Family {
  /** the name to pass to `--only` */
  readonly name: string;
  /** measures the shop whose source tree is at `root` */
  measure(root: string): Promise<Figures>;
  /** measures the same figures on the minimal server (floor-server.ts), for comparison */
  floor?(url: string): Promise<Figures>;
  /** each figure's goal, keyed by the figure's name */
  readonly goals: Readonly<Record<string, string>>;
}
