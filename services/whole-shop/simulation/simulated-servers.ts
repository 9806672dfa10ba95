import { commitName, streamOfCommit } from '../../contracts/ids.ts';
import type { Commit } from '../../engine/log/event-log.ts';
import { followFeed } from '../../engine/projector/follow-feed.ts';
import { createProjector } from '../../engine/projector/project.ts';
import { createShopCore, type ShopCore } from '../../engine/shop-core.ts';
import { createReadYourWrites } from '../../http/read-your-writes.ts';
import { exponentialBackOff, PATIENT } from '../../runtime/schedule.ts';
import { guardStore } from '../../runtime/store-unavailable.ts';
import { createKafkaEventFeed } from '../../servers/kafka/kafka-event-feed.ts';
import { startOutboxRelay } from '../../servers/kafka/outbox-relay.ts';
import { createPublisher } from '../../servers/kafka/publisher.ts';
import { topicsOf } from '../../servers/kafka/topics.ts';
import { createRedisPublisher } from '../../servers/redis/redis-publisher.ts';
import { createRedisSubscriber } from '../../servers/redis/redis-subscriber.ts';
import { DOCUMENT_READS, KEY_READS, LOG_READS } from '../../servers/servers-core.ts';
import { shopDocuments } from '../../shop/documents.ts';
import { createStripePayments } from '../../shop/payment/stripe-payments-flow.ts';
import { shopProjection } from '../../shop/projection.ts';
import type { Dice } from './dice.ts';
import { createListWatch } from './list-watch.ts';
import type { RunningGateway } from './live-network.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryKafka } from './memory-kafka.ts';
import { createKeyDisk, createMemoryKeyVault } from './memory-key-vault.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { createMemoryReadModels } from './memory-read-models.ts';
import { createMemoryRedis, type RedisFault } from './memory-redis.ts';
import { createMemorySnapshots } from './memory-snapshots.ts';
import { ConnectionLost, throughNetwork } from './network.ts';
import { observedLog, observedReadModels, observedSnapshots } from './observed.ts';
import type { Plan } from './plan.ts';
import { createShopDisk } from './shop-tables.ts';
import { createSimulatedApi } from './simulated-api.ts';
import { openSimulatedGateway } from './simulated-gateway.ts';
import { createProcess, type SimulatedProcess } from './simulated-process.ts';
import {
  createFlows,
  type Providers,
  type RunningApi,
  readStores,
  type SimulatedShop,
  withUnknownOutcomes,
} from './simulated-shop.ts';
import type { Target, World } from './world.ts';

const STORE_TIMEOUT_MS = 2_000;
const TOPICS = topicsOf('shop');
const GROUP = 'shop.projector';
const SLOTS = ['api-1', 'api-2', 'projector-1', 'projector-2', 'live-1', 'live-2'] as const;
/** These intervals are five times as long as in production, because heartbeats slow the simulation down. */
const HEARTBEATS = { beatMs: 5_000, silenceMs: 15_000, forgetMs: 50_000 };

export interface SimulatedServers extends SimulatedShop {
  /** Loses messages that Kafka had acknowledged. */
  loseMessages(dice: Dice): number;
  /** Starts a fault of Redis, or ends it. */
  setRedisFault(fault: RedisFault): void;
}

/**
 * Starts a shop on servers: two processes of each role, which share a database, its keys, Kafka and Redis.
 */
export function startServers(
  world: World,
  providers: Providers,
  dice: Dice,
  { unpaidOrderTtlMs, processingTtlMs }: Pick<Plan, 'unpaidOrderTtlMs' | 'processingTtlMs'>,
): SimulatedServers {
  const [disk, keys] = [createShopDisk(), createKeyDisk()];
  const kafka = createMemoryKafka(dice.fork(), { note: world.note });
  const redis = createMemoryRedis();
  const running = new Map<string, RunningProcess>();
  const starts = new Map<string, number>();
  const stores = readStores(disk, keys);
  const storedLog = observedLog(world, createMemoryEventLog(disk));
  const storedDocuments = observedReadModels(world, createMemoryReadModels(disk, shopDocuments), disk);
  const storedSnapshots = observedSnapshots(world, createMemorySnapshots(disk));
  const outbox = createMemoryOutbox(disk);

  function start(slot: string): void {
    const number = (starts.get(slot) ?? 0) + 1;
    starts.set(slot, number);
    const process = createProcess(`${slot}.${number}`, world.time, dice.fork());
    world.say(`starts: ${process.name}`);
    running.set(slot, { process });
    if (slot.startsWith('api')) running.set(slot, { process, api: startApi(process) });
    else if (slot.startsWith('live')) void startLive(slot, process);
    else void startProjector(process);
  }

  function kill(process: SimulatedProcess): void {
    if (!process.isAlive()) return;
    process.kill();
    world.say(`dies: ${process.name}`);
    const slot = process.name.split('.')[0] ?? '';
    running.get(slot)?.gateway?.transport.breakAll();
    running.delete(slot);
    world.time.schedule(dice.between(500, 20_000), () => start(slot));
  }

  function remote<Port extends object>(process: SimulatedProcess, to: Target, port: Port, methods?: (keyof Port)[]) {
    return throughNetwork(
      world.linkOf(process, to, () => kill(process)),
      port,
      methods,
    );
  }

  function openCluster(process: SimulatedProcess) {
    return remote(process, 'kafka', kafka.connect(process), ['send', 'positions', 'partitionOf']);
  }

  function openCore(
    process: SimulatedProcess,
    onCommit: (commit: Commit) => void,
    onAppended?: ShopCoreHook,
  ): ShopCore {
    const { dice: own, schedule, now, timing } = process;
    const isLost = (error: unknown) => error instanceof ConnectionLost;
    const guard = { isLost, timeoutMs: STORE_TIMEOUT_MS, schedule };
    const log = guardStore(
      withUnknownOutcomes(world, disk, remote(process, 'log', storedLog), onCommit),
      guard,
      LOG_READS,
    );
    const vault = guardStore(remote(process, 'keys', createMemoryKeyVault(keys, own.bytes)), guard, KEY_READS);
    const readModels = guardStore(remote(process, 'documents', storedDocuments), guard, DOCUMENT_READS);
    const snapshots = guardStore(remote(process, 'snapshots', storedSnapshots), guard, ['find']);
    return createShopCore(
      { log, vault, readModels, projection: shopProjection, async wipe() {} },
      {
        snapshots,
        logger: world.loggerOf(process),
        appendTimeoutMs: STORE_TIMEOUT_MS,
        onAppended,
        newId: own.id,
        random: own.bytes,
        now,
        timing,
      },
    );
  }

  function openPublisher(process: SimulatedProcess) {
    const publisher = createPublisher({ cluster: openCluster(process), topics: TOPICS, schedule: process.schedule });
    const publishSoon = ({ stream, expectedVersion, events }: Commit) => {
      const name = commitName(stream, expectedVersion + 1);
      publisher.publish({ name, events }).catch(() => world.note('a commit could not be published'));
    };
    return { publisher, publishSoon };
  }

  function startApi(process: SimulatedProcess): RunningApi {
    const { clock, schedule } = process;
    const logger = world.loggerOf(process);
    const { publishSoon } = openPublisher(process);
    const own = createReadYourWrites({
      polls: { getMany: (kind, ids) => core.readModels.getMany(kind, ids) },
      schedule,
    });
    const readYourWrites = createListWatch(world, own);
    const core: ShopCore = openCore(process, publishSoon, readYourWrites.appended);
    const onCrash = () => kill(process);
    const payments = createStripePayments({
      stripe: providers.stripe.connect(process, onCrash),
      handler: core.handler,
      processingTtlMs,
      clock,
      logger,
      schedule,
    });
    const identity = providers.identity.connect(process, onCrash);
    const api = createSimulatedApi(world, { process, core, payments, identity, readYourWrites, unpaidOrderTtlMs });
    return { process, api };
  }

  async function startProjector(process: SimulatedProcess): Promise<void> {
    const { clock, schedule, now } = process;
    const { publisher, publishSoon } = openPublisher(process);
    const core = openCore(process, publishSoon);
    const onCrash = () => kill(process);
    const { policies, reader, scan, mailer } = createFlows(world, providers, {
      process,
      core,
      processingTtlMs,
      onCrash,
    });
    const onStopped = ({ stream }: { stream: string }) => world.say(`stopped: ${stream} in ${process.name}`);
    const projector = createProjector({
      ...core,
      broadcast: createRedisPublisher({ ...redisOf(process), newId: process.dice.id }),
      clock,
      runPolicies: policies.run,
      onStopped,
    });
    const cluster = openCluster(process);
    const own = remote(process, 'outbox', outbox);
    const onError = () => world.note('the feed or the relay reported an error');
    const backOff = exponentialBackOff(PATIENT, undefined, process.dice.random);
    const feed = createKafkaEventFeed({
      cluster,
      group: GROUP,
      topics: TOPICS,
      outbox: own,
      onError,
      backOff,
      schedule,
    });
    await followFeed(feed, projector, clock);
    startOutboxRelay({ outbox: own, publisher, cluster, topics: TOPICS, group: GROUP, now, onError, schedule });
    scan.start();
    reader.start();
    mailer?.start();
  }

  function redisOf(process: SimulatedProcess) {
    const { every } = process;
    return {
      ...HEARTBEATS,
      url: '',
      channel: 'live',
      every,
      onError: () => world.note('a connection to Redis reported an error'),
      connect: () =>
        redis.connect(
          process,
          world.linkOf(process, 'redis', () => {}),
        ),
    };
  }

  async function startLive(slot: string, process: SimulatedProcess): Promise<void> {
    const core = openCore(process, () => {});
    const identity = providers.identity.connect(process, () => kill(process));
    const broadcast = createRedisSubscriber({ ...redisOf(process), clock: process.clock });
    const gateway = await openSimulatedGateway(world, { process, core, identity, broadcast });
    if (process.isAlive()) running.set(slot, { process, gateway });
  }

  for (const slot of SLOTS) start(slot);
  return {
    stores,
    kill,
    apis: () => [...running.values()].flatMap(({ api }) => (api?.process.isRunning() ? [api] : [])),
    gateways: () => [...running.values()].flatMap(({ gateway }) => (gateway?.process.isRunning() ? [gateway] : [])),
    setRedisFault: redis.setFault,
    processes: () => [...running.values()].map(({ process }) => process),
    loseMessages(by) {
      const lost = kafka.loseNewest(by);
      if (lost > 0) world.note('Kafka lost acknowledged messages');
      return lost;
    },
    async unfinished() {
      return (await outbox.list(1_000)).flatMap((name) => streamOfCommit(name) ?? []);
    },
  };
}

interface RunningProcess {
  readonly process: SimulatedProcess;
  readonly api?: RunningApi;
  readonly gateway?: RunningGateway;
}

type ShopCoreHook = NonNullable<Parameters<typeof createShopCore>[1]['onAppended']>;
