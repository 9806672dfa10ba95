import { createLogFeed } from '../../embedded/log-feed.ts';
import { createInProcessBroadcast } from '../../engine/projector/broadcast.ts';
import { followFeed } from '../../engine/projector/follow-feed.ts';
import { createProjector } from '../../engine/projector/project.ts';
import { createShopCore } from '../../engine/shop-core.ts';
import { createReadYourWrites } from '../../http/read-your-writes.ts';
import { shopProjection } from '../../shop/projection.ts';
import type { Dice } from './dice.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryFeedStore } from './memory-feed-store.ts';
import { createKeyDisk, createMemoryKeyVault } from './memory-key-vault.ts';
import { createMemoryReadModels } from './memory-read-models.ts';
import { createMemorySnapshots } from './memory-snapshots.ts';
import { throughNetwork } from './network.ts';
import { observedLog, observedReadModels, observedSnapshots } from './observed.ts';
import { withOlderEvents } from './older-events.ts';
import type { Plan } from './plan.ts';
import { createShopDisk } from './shop-tables.ts';
import { createSimulatedApi } from './simulated-api.ts';
import { createProcess, type SimulatedProcess } from './simulated-process.ts';
import { createFlows, type Providers, type RunningApi, readStores, type SimulatedShop } from './simulated-shop.ts';
import type { Target, World } from './world.ts';

/**
 * Starts an embedded shop: one process, and a disk that loses unsynced writes when the process dies. Calls to the disk
 * are delayed as if they went to a writer thread. The process may crash before or during a call, but unless it crashes,
 * every call is carried out and gets its response.
 */
export function startEmbedded(
  world: World,
  providers: Providers,
  dice: Dice,
  { unpaidOrderTtlMs, olderFor }: Pick<Plan, 'unpaidOrderTtlMs' | 'olderFor'>,
): SimulatedShop {
  const [disk, keys] = [createShopDisk(), createKeyDisk()];
  const stores = readStores(disk, keys);
  const upgradedAt = world.time.now() + olderFor;
  let starts = 0;
  let current: { process: SimulatedProcess; api: RunningApi | null };

  function kill(process: SimulatedProcess): void {
    if (!process.isAlive()) return;
    process.kill();
    world.say(`dies: ${process.name}`);
    disk.crash((unsynced) => {
      const kept = dice.between(0, unsynced);
      if (kept < unsynced) world.note('a crash lost unsynced writes');
      return kept;
    });
    world.time.schedule(dice.between(500, 20_000), start);
  }

  function start(): void {
    starts += 1;
    const process = createProcess(`shop.${starts}`, world.time, dice.fork());
    world.say(`starts: ${process.name}`);
    current = { process, api: null };
    void open(process);
  }

  async function open(process: SimulatedProcess): Promise<void> {
    const { clock, schedule, now, timing, dice: own } = process;
    const onCrash = () => kill(process);
    const local = <Port extends object>(to: Target, port: Port) => {
      const link = world.linkOf(process, to, onCrash);
      const faults = {
        ...LOCAL,
        get crash() {
          return link.faults.crash;
        },
      };
      return throughNetwork({ ...link, faults, isCut: () => false }, port);
    };
    const logger = world.loggerOf(process);
    const readYourWrites = createReadYourWrites({ schedule });
    const feed = createLogFeed({
      openStore: () => {
        const store = createMemoryFeedStore(disk);
        return { ...store, record: local('outbox', { record: store.record }).record };
      },
      consumer: 'projector',
      clock,
      onError: () => world.note('the feed or the relay reported an error'),
      schedule,
    });
    const log = local(
      'log',
      observedLog(
        world,
        withOlderEvents(
          createMemoryEventLog(disk, () => process.run(() => feed.wake())),
          () => world.time.now() < upgradedAt,
        ),
      ),
    );
    const core = createShopCore(
      {
        log,
        vault: local('keys', createMemoryKeyVault(keys, own.bytes)),
        readModels: local('documents', observedReadModels(world, createMemoryReadModels(disk), disk)),
        projection: shopProjection,
        async wipe() {},
      },
      {
        snapshots: local('snapshots', observedSnapshots(world, createMemorySnapshots(disk))),
        logger,
        soleWriter: true,
        onAppended: readYourWrites.appended,
        newId: own.id,
        random: own.bytes,
        now,
        timing,
      },
    );
    const { payments, policies, scan, mailer } = createFlows(world, providers, { process, core, onCrash });
    const projector = createProjector({
      ...core,
      broadcast: createInProcessBroadcast(),
      clock,
      follow: policies.follow,
      onProjected: readYourWrites.projected,
      onStopped: ({ stream }) => world.say(`stopped: ${stream} in ${process.name}`),
    });
    const { consumer } = await followFeed(feed, projector, clock);
    while ((await consumer.lag()) > 0) await consumer.caughtUp();
    const identity = providers.identity.connect(process, onCrash);
    const api = createSimulatedApi(world, { process, core, payments, identity, readYourWrites, unpaidOrderTtlMs });
    scan.start();
    mailer?.start();
    current = { process, api: { process, api } };
  }

  start();
  return {
    stores,
    kill,
    apis: () => (current.api?.process.isRunning() ? [current.api] : []),
    processes: () => (current.process.isAlive() ? [current.process] : []),
    async unfinished() {
      const { events, feed } = disk.content;
      const left = events.length - feed.checkpoint + feed.waiting.size;
      return left === 0 ? [] : [`${left} events are not projected`];
    },
  };
}

const LOCAL = { delay: 1, slow: 0, lost: 0, lostAnswer: 0, repeated: 0 };
