import type { ServersConfig } from '../../runtime/config.ts';

/** The channel on which projectors announce what has changed. */
export const liveChannel = ({ namePrefix }: ServersConfig) => `${namePrefix}:live`;

/** What the keys of callers' budgets begin with. */
export const rateKeys = ({ namePrefix }: ServersConfig) => `${namePrefix}:rate:`;
