import { faultsSchema } from '../../demo/stripe/faults.ts';
import { createDice, type Dice } from './dice.ts';
import { judge } from './judge.ts';
import { NO_FAULTS } from './network.ts';
import { checkAcknowledged } from './payment-rules.ts';
import { createClient, createPerson, type Person } from './people.ts';
import { drawPlan, type Plan } from './plan.ts';
import { createReference } from './reference.ts';
import { FIRST_ADMIN } from './simulated-api.ts';
import { openBrowsers } from './simulated-browsers.ts';
import { startEmbedded } from './simulated-embedded.ts';
import { createSimulatedIdentity } from './simulated-identity.ts';
import { createSimulatedMail } from './simulated-mail.ts';
import { type SimulatedServers, startServers } from './simulated-servers.ts';
import type { Providers, SimulatedShop } from './simulated-shop.ts';
import { createSimulatedStripe } from './simulated-stripe.ts';
import type { Site } from './site.ts';
import { noteSituations } from './situations.ts';
import { createVirtualTime } from './virtual-time.ts';
import { act } from './workload.ts';
import { createWorld, type Disaster, TARGETS, type World } from './world.ts';

/** 2026-03-01, when every run begins. */
const BEGIN = Date.UTC(2026, 2, 1, 9);
const MINUTE_MS = 60_000;
/** Once the faults have ended, all work has to be finished within this time. E-mails are claimed for up to an hour. */
const SETTLED_WITHIN_MS = 180 * MINUTE_MS;
const LOOK_EVERY_MS = 5 * MINUTE_MS;

/** The result of one run. */
export interface SimulatedRun {
  readonly seed: number;
  readonly plan: Plan;
  /** one sentence for each rule that was broken; empty if no rule was broken */
  readonly faults: readonly string[];
  /** a hash of everything that happened */
  readonly hash: string;
  readonly virtualMs: number;
  readonly events: number;
  readonly types: Readonly<Record<string, number>>;
  readonly situations: ReadonlyMap<string, number>;
  readonly lines: readonly string[];
  /** the names of the actions that people performed */
  readonly actions: readonly string[];
}

/** A reduced run: a changed plan, and actions to leave out. */
export interface Reduction {
  readonly change?: (plan: Plan) => Plan;
  /** the names of the actions that people don't perform */
  readonly skipped?: ReadonlySet<string>;
}

/**
 * Runs a whole shop in virtual time. The seed determines everything that happens, so the same seed always gives the
 * same run.
 */
export async function simulate(
  seed: number,
  { change = (drawn: Plan) => drawn, skipped = new Set() }: Reduction = {},
): Promise<SimulatedRun> {
  const dice = createDice(seed);
  const plan = change(drawPlan(dice.fork()));
  const time = createVirtualTime(BEGIN);
  const world = createWorld(time, BEGIN);
  const providers: Providers = {
    stripe: createSimulatedStripe(world, dice.fork()),
    identity: createSimulatedIdentity(world, dice.fork()),
    mail: createSimulatedMail(world, dice.fork()),
  };
  const shop =
    plan.shop === 'servers'
      ? startServers(world, providers, dice.fork(), plan)
      : startEmbedded(world, providers, dice.fork(), plan);
  const client = createClient(world, shop, dice.fork());
  const people = peopleOf(plan, dice);
  const madeAdmins = new Set<string>();
  const site: Site = {
    world,
    client,
    providers,
    reference: createReference(world, {
      mayBeAdmin: (email) => email === FIRST_ADMIN || madeAdmins.has(email),
      eventsOf: shop.stores.eventsOf,
    }),
    people,
    mostProducts: plan.products,
    products: new Map(),
    orders: new Map(),
    skipped,
    done: [],
    madeAdmins,
  };
  providers.stripe.start(async (body, signature) => {
    const isAcknowledged = await client.deliverWebhook(body, signature);
    if (isAcknowledged) checkAcknowledged(world, shop.stores.eventsOf, body);
    return isAcknowledged;
  });
  const end = BEGIN + plan.duration;
  const acting = people.flatMap((person, index) => {
    const tabs = Array.from({ length: index < plan.admins ? 1 : plan.tabs }, (_, tab) => `person ${index}.${tab + 1}`);
    return tabs.map((label) => act(site, person, plan, { label, end }));
  });
  const browsers = openBrowsers(site, shop, { count: plan.browsers, admins: plan.admins, dice: dice.fork() });
  browsers.act(end, plan.pause);
  startFaults(world, plan, { shop, providers, dice: dice.fork(), end });
  await time.runUntil(end);
  endFaults(world, shop, providers);
  let done = false;
  void Promise.all(acting).then(() => {
    done = true;
  });
  let verdict = await judge(site, shop, plan);
  for (
    let waited = 0;
    waited < SETTLED_WITHIN_MS && (!done || verdict.unfinished.length > 0);
    waited += LOOK_EVERY_MS
  ) {
    await time.runUntil(time.now() + LOOK_EVERY_MS);
    providers.stripe.settle();
    verdict = await judge(site, shop, plan);
  }
  const shown = await browsers.check();
  noteSituations(world, verdict.streams);
  providers.stripe.close();
  return {
    seed,
    plan,
    faults: [
      ...world.faults,
      ...verdict.faults,
      ...verdict.unfinished,
      ...shown,
      ...(done ? [] : ['somebody still waits']),
    ],
    hash: world.hash(),
    virtualMs: time.now() - BEGIN,
    events: verdict.events,
    types: verdict.types,
    situations: world.situations,
    lines: world.lines,
    actions: site.done,
  };
}

function peopleOf({ customers, admins }: Plan, dice: Dice): Person[] {
  return Array.from({ length: admins + customers }, (_, index) =>
    createPerson(index, dice.fork(), index < admins ? FIRST_ADMIN : undefined),
  );
}

interface Stage {
  readonly shop: SimulatedShop;
  readonly providers: Providers;
  readonly dice: Dice;
  readonly end: number;
}

function startFaults(world: World, plan: Plan, stage: Stage): void {
  for (const target of TARGETS) Object.assign(world.links[target], plan.links[target]);
  Object.assign(stage.providers.mail.refusals, plan.mail);
  for (const [disaster, interval] of Object.entries(plan.disasters) as [Disaster, number][]) {
    if (interval === 0) continue;
    const again = () => {
      world.time.schedule(stage.dice.between(0, 2 * interval), () => {
        if (world.time.now() >= stage.end) return;
        strike(world, disaster, stage);
        again();
      });
    };
    again();
  }
}

/** Starts one disaster, which ends by itself after a while. */
function strike(world: World, disaster: Disaster, { shop, providers, dice, end }: Stage): void {
  const { time, cuts } = world;
  const processes = shop.processes();
  const process = processes.length > 0 ? dice.pick(processes) : null;
  const later = (most: number, undo: () => unknown) => void time.schedule(dice.between(500, most), undo);
  const cut = (name: string) => {
    cuts.add(name);
    later(2 * MINUTE_MS, () => cuts.delete(name));
  };
  const { faults } = providers.stripe;
  world.say(`disaster: ${disaster}`);
  world.note(`disaster: ${disaster}`);
  world.trouble(disaster);
  switch (disaster) {
    case 'kill':
      if (!process) return;
      // A process that ends normally first closes its live connections.
      if (dice.chance(0.5))
        shop
          .gateways()
          .find((one) => one.process === process)
          ?.transport.disconnectAll();
      shop.kill(process);
      return;
    case 'pause':
      process?.pause();
      later(3 * MINUTE_MS, () => process?.resume());
      return;
    case 'cut process':
      if (process) cut(process.name);
      return;
    case 'cut target':
      cut(dice.pick(TARGETS));
      return;
    case 'clock':
      process?.setClock(dice.between(-20_000, 20_000));
      return;
    case 'lost messages':
      if ('loseMessages' in shop) (shop as SimulatedServers).loseMessages(dice);
      return;
    case 'redis trouble': {
      if (!('setRedisFault' in shop)) return;
      const { setRedisFault } = shop as SimulatedServers;
      const fault = dice.pick(['silent', 'read-only'] as const);
      world.note(`Redis was ${fault}`);
      setRedisFault(fault);
      later(MINUTE_MS, () => setRedisFault(null));
      return;
    }
    case 'refund trouble':
      faults.refundStatus = dice.pick(['succeeded', 'pending', 'failed', 'canceled', 'requires_action'] as const);
      later(4 * MINUTE_MS, () => {
        if (time.now() >= end) return;
        providers.stripe.decideRefund(dice);
        // The bank's decision meets an outage, in which Stripe's webhooks still arrive.
        if (dice.chance(0.5)) cut('stripe');
      });
      return;
    case 'webhook trouble':
      Object.assign(faults, dice.pick([{ drop: true }, { duplicate: 3 }, { delayMs: 60_000 }, { reorder: 4 }]));
      later(3 * MINUTE_MS, () => {
        Object.assign(faults, { drop: false, duplicate: 1, delayMs: 0, reorder: 0 });
        providers.stripe.releaseWebhooks();
      });
      return;
    case 'stripe fails':
      faults.apiFailures = dice.between(1, 4);
      return;
    case 'cancelled intent':
      void providers.stripe.cancelIntent(dice);
      return;
    case 'dashboard refund':
      providers.stripe.refundInDashboard(dice);
      return;
    case 'late lists':
      faults.listLagMs = dice.between(MINUTE_MS, 9 * MINUTE_MS);
      later(4 * MINUTE_MS, () => Object.assign(faults, { listLagMs: 0 }));
      return;
    case 'aged events':
      faults.eventsKeptMs = dice.between(MINUTE_MS, 5 * MINUTE_MS);
      later(4 * MINUTE_MS, () => Object.assign(faults, { eventsKeptMs: NO_FAULTS_OF_STRIPE.eventsKeptMs }));
      return;
    case 'restricted key':
      faults.lackedPermissions = [dice.pick(PERMISSIONS)];
      later(4 * MINUTE_MS, () => Object.assign(faults, { lackedPermissions: [] }));
      return;
    case 'low balance':
      faults.lowBalance = dice.pick(['hold', 'refuse'] as const);
      later(4 * MINUTE_MS, () => Object.assign(faults, { lowBalance: 'cover' }));
      return;
    case 'movement without an order':
      providers.stripe.moveMoney(dice);
      return;
    case 'dispute':
      providers.stripe.dispute(dice);
      later(4 * MINUTE_MS, () => time.now() < end && providers.stripe.decideDispute(dice));
      return;
    default:
      disaster satisfies never;
  }
}

/** The permissions that a restricted key may lack, so that it stops one of the ways on which the shop learns of money. */
const PERMISSIONS = [
  'payment_intent_read',
  'refund_read',
  'refund_write',
  'dispute_read',
  'event_read',
  'balance_transaction_read',
] as const;
const NO_FAULTS_OF_STRIPE = faultsSchema.parse({});

function endFaults(world: World, shop: SimulatedShop, { stripe, mail }: Providers): void {
  world.say('all faults end');
  for (const target of TARGETS) Object.assign(world.links[target], NO_FAULTS);
  world.cuts.clear();
  Object.assign(mail.refusals, { forNow: 0, forGood: 0 });
  const { decisionMs, lateBalanceMs, availableMs } = stripe.faults;
  Object.assign(stripe.faults, NO_FAULTS_OF_STRIPE, { decisionMs, lateBalanceMs, availableMs });
  stripe.releaseWebhooks();
  stripe.settle();
  if ('setRedisFault' in shop) (shop as SimulatedServers).setRedisFault(null);
  for (const process of shop.processes()) {
    process.resume();
    process.setClock(0);
  }
}
