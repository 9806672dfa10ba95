/** A bug that a simulation must find. `replace` names text that occurs exactly once in the file. */
export interface Canary {
  readonly name: string;
  /** the id of a rule that the bug breaks, e.g. `PAY6` */
  readonly rule: string;
  /** the effect of the bug that a person would notice */
  readonly effect: string;
  /** the file's path from `services`, e.g. `shop/payment/refund-flow.ts`, or a path that starts with `web/` */
  readonly file: string;
  readonly replace: readonly [old: string, broken: string];
}

/** Returns a canary's file as a path from the root of the repository. */
export const pathOf = ({ file }: Pick<Canary, 'file'>): string => (file.startsWith('web/') ? file : `services/${file}`);
