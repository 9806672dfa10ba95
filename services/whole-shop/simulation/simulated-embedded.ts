import { createLogFeed } from '../../embedded/log-feed.ts';
import { createInProcessBroadcast } from '../../engine/projector/broadcast.ts';
import { followFeed } from '../../engine/projector/follow-feed.ts';
import { createProjector } from '../../engine/projector/project.ts';
import { createShopCore } from '../../engine/shop-core.ts';
import { createReadYourWrites } from '../../http/read-your-writes.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { shopProjection } from '../../shop/projection.ts';
import type { Dice } from './dice.ts';
import { createListWatch } from './list-watch.ts';
import type { RunningGateway } from './live-network.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryFeedStore } from './memory-feed-store.ts';
import { createKeyDisk, createMemoryKeyVault } from './memory-key-vault.ts';
import { createMemoryReadModels } from './memory-read-models.ts';
import { createMemorySnapshots } from './memory-snapshots.ts';
import { throughNetwork } from './network.ts';
import { observedLog, observedReadModels, observedSnapshots } from './observed.ts';
import type { Plan } from './plan.ts';
import { createShopDisk } from './shop-tables.ts';
import { createSimulatedApi } from './simulated-api.ts';
import { openSimulatedGateway } from './simulated-gateway.ts';
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
  plan: Pick<Plan, 'unpaidOrderTtlMs' | 'processingTtlMs' | 'disasters'>,
): SimulatedShop {
  const { unpaidOrderTtlMs, processingTtlMs, disasters } = plan;
  const [disk, keys] = [createShopDisk(), createKeyDisk()];
  const stores = readStores(disk, keys);
  let starts = 0;
  let current: { process: SimulatedProcess; api: RunningApi | null; gateway: RunningGateway | null };

  function kill(process: SimulatedProcess): void {
    if (!process.isAlive()) return;
    process.kill();
    world.say(`dies: ${process.name}`);
    current.gateway?.transport.breakAll();
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
    current = { process, api: null, gateway: null };
    void open(process);
  }

  /**
   * Checks once a second that no failed event waits for its retry long after it was due (PRJ4). The time that the
   * process is paused doesn't count. Clocks must be exact.
   */
  function watchRetries(process: SimulatedProcess): void {
    let lateFor = 0;
    const look = () => {
      if (!process.isAlive()) return;
      world.time.schedule(SECOND_MS, look);
      const due = [...disk.content.feed.waiting.values()].map(({ dueAt }) => dueAt);
      const isLate = process.isRunning() && due.some((time) => time < process.clock() - SECOND_MS);
      lateFor = isLate ? lateFor + 1 : 0;
      if (lateFor === MOST_SECONDS_LATE) world.fault('PRJ4 a failed event is due and is not retried');
    };
    look();
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
      return throughNetwork({ ...link, faults, inProcess: true, isCut: () => false }, port);
    };
    const logger = world.loggerOf(process);
    const readYourWrites = createListWatch(world, createReadYourWrites({ schedule }));
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
        createMemoryEventLog(disk, () => process.run(() => feed.wake())),
      ),
    );
    const core = createShopCore(
      {
        log,
        vault: local('keys', createMemoryKeyVault(keys, own.bytes)),
        readModels: local('documents', observedReadModels(world, createMemoryReadModels(disk, shopDocuments), disk)),
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
    const { payments, policies, reader, scan, mailer } = createFlows(world, providers, {
      process,
      core,
      processingTtlMs,
      onCrash,
    });
    const broadcast = createInProcessBroadcast();
    const projector = createProjector({
      ...core,
      broadcast,
      clock,
      runPolicies: policies.run,
      onProjected: readYourWrites.projected,
      onStopped: ({ stream }) => world.say(`stopped: ${stream} in ${process.name}`),
    });
    const { consumer } = await followFeed(feed, projector, clock);
    if (disasters.clock === 0) watchRetries(process);
    while ((await consumer.lag()) > 0) await consumer.caughtUp();
    const identity = providers.identity.connect(process, onCrash);
    const api = createSimulatedApi(world, { process, core, payments, identity, readYourWrites, unpaidOrderTtlMs });
    scan.start();
    reader.start();
    mailer?.start();
    const gateway = await openSimulatedGateway(world, { process, core, identity, broadcast });
    current = { process, api: { process, api }, gateway };
  }

  start();
  return {
    stores,
    kill,
    apis: () => (current.api?.process.isRunning() ? [current.api] : []),
    gateways: () => (current.gateway?.process.isRunning() ? [current.gateway] : []),
    processes: () => (current.process.isAlive() ? [current.process] : []),
    async unfinished() {
      const { events, feed } = disk.content;
      const failed = [...feed.waiting.keys()].flatMap((position) => events[position - 1] ?? []);
      return [...failed, ...events.slice(feed.checkpoint)].map(({ subject }) => subject);
    },
  };
}

const SECOND_MS = 1_000;
const MOST_SECONDS_LATE = 10;
const LOCAL = { delay: 1, slow: 0, lost: 0, lostAnswer: 0, repeated: 0 };
