import { ADMIN_WEIGHTS } from './admin-actions.ts';
import { CUSTOMER_WEIGHTS } from './customer-actions.ts';
import type { Dice } from './dice.ts';
import { type LinkFaults, NO_FAULTS } from './network.ts';
import type { Workload } from './workload.ts';
import { DISASTERS, type Disaster, TARGETS, type Target } from './world.ts';

/** What happens in a run. The plan is drawn from the seed before the run starts. */
export interface Plan {
  readonly shop: 'servers' | 'embedded';
  readonly customers: number;
  readonly admins: number;
  /** how many tabs each customer uses at the same time */
  readonly tabs: number;
  /** the maximum number of products; if it is 1, all orders compete for the same stock */
  readonly products: number;
  /** how long an unpaid order is kept, in ms */
  readonly unpaidOrderTtlMs: number;
  /** how long an order waits for a payment that Stripe is processing, in ms */
  readonly processingTtlMs: number;
  /** the average pause between two actions of a person, in ms */
  readonly pause: number;
  /** how long people act and faults occur, in ms */
  readonly duration: number;
  readonly workload: Workload;
  readonly links: Readonly<Record<Target, LinkFaults>>;
  /** the average time between two disasters of each kind, in ms; 0 if the kind never occurs */
  readonly disasters: Readonly<Record<Disaster, number>>;
  readonly mail: { readonly forNow: number; readonly forGood: number };
  /** how many browsers show pages that update live */
  readonly browsers: number;
}

/** Returns true if no process's clock ever deviates. */
export const hasExactClocks = ({ disasters }: Plan): boolean => disasters.clock === 0;

const MINUTE_MS = 60_000;
const MOST_BROWSERS = 5;

/** The links that cross the internet. */
const FAR: readonly Target[] = ['api', 'stripe', 'live'];

/**
 * Draws which kinds of faults and actions occur in a run, and then how frequent each of them is. A run with few but
 * frequent faults finds bugs that would stay hidden in a run with all kinds of faults at once.
 */
export function drawPlan(dice: Dice): Plan {
  const calm = dice.chance(0.1);
  const rate = (most: number) => (calm || dice.chance(0.5) ? 0 : dice.random() ** 2 * most);
  const linkOf = (target: Target): LinkFaults => ({
    delay: FAR.includes(target) ? dice.between(20, 200) : dice.between(1, 20),
    slow: rate(0.03),
    // Most lost pushes do no harm, because a newer push of the same document follows.
    lost: rate(target === 'redis' ? 0.3 : 0.05),
    lostAnswer: rate(0.05),
    repeated: rate(0.02),
    // Crashes must be rare enough for work to be completed between them.
    crash: ['api', 'redis', 'live'].includes(target) ? 0 : rate(0.002),
  });
  const weigh = (weights: Readonly<Record<string, number>>, essential: readonly string[]) =>
    Object.entries(weights).map(([name, weight]) => {
      const drawn = dice.chance(0.25) ? 0 : weight * dice.random() * 2;
      return [name, essential.includes(name) ? weight : drawn];
    });
  const interval = (minutes: number) =>
    calm || dice.chance(0.5) ? 0 : dice.between(0.2 * minutes * MINUTE_MS, minutes * MINUTE_MS);
  const plan: Plan = {
    shop: dice.chance(0.7) ? 'servers' : 'embedded',
    customers: dice.between(2, 8),
    admins: dice.between(1, 3),
    tabs: dice.between(1, 2),
    products: dice.pick([1, 3, 12]),
    unpaidOrderTtlMs: dice.pick([1, 3, 15, 60]) * MINUTE_MS,
    processingTtlMs: dice.pick([2, 30, 1_440]) * MINUTE_MS,
    pause: dice.pick([2_000, 8_000, 20_000]),
    duration: dice.between(10, 25) * MINUTE_MS,
    workload: Object.fromEntries([
      ...weigh(CUSTOMER_WEIGHTS, ['placeOrder']),
      ...weigh(ADMIN_WEIGHTS, ['addProduct']),
    ]) as Workload,
    links: Object.fromEntries(TARGETS.map((target) => [target, linkOf(target)])) as Plan['links'],
    disasters: Object.fromEntries(DISASTERS.map((disaster) => [disaster, interval(8)])) as Plan['disasters'],
    mail: { forNow: rate(0.5), forGood: rate(0.1) },
    browsers: MOST_BROWSERS,
  };
  return calm || dice.chance(0.75) ? plan : withOneFault(plan, dice);
}

/**
 * Leaves only one faulty part in a plan, and makes that part fail often. In such a run, many checks apply that would be
 * wrong if other faults could explain what happened. Webhooks may fail as well, because the checks allow for that.
 */
function withOneFault(plan: Plan, dice: Dice): Plan {
  const only = dice.chance(0.5) ? dice.pick(DISASTERS) : dice.pick(TARGETS);
  const often = () => (dice.chance(0.5) ? 0.05 + dice.random() * 0.25 : 0);
  const links = TARGETS.map((target) => {
    const none = { ...NO_FAULTS, delay: plan.links[target].delay };
    const faults = { slow: often(), lost: often(), lostAnswer: often(), repeated: often() };
    return [target, target === only ? { ...none, ...faults } : none];
  });
  const disasters = DISASTERS.map((disaster) => {
    const isWebhooks = disaster === 'webhook trouble' && dice.chance(0.5);
    return [disaster, disaster === only || isWebhooks ? dice.between(MINUTE_MS, 3 * MINUTE_MS) : 0];
  });
  return {
    ...plan,
    links: Object.fromEntries(links),
    disasters: Object.fromEntries(disasters),
    mail: { forNow: 0, forGood: 0 },
  };
}
