import type { RecordedEvent, StoredEvent } from '../../contracts/events.ts';
import { commitName, type StreamName } from '../../contracts/ids.ts';
import { AppendOutcomeUnknown, type Commit, type EventLog } from '../../engine/log/event-log.ts';
import { createSealing, type Sealing } from '../../engine/log/sealing.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import type { ShopCore } from '../../engine/shop-core.ts';
import { createOrderFlows } from '../../process/order-flows.ts';
import { shopDocuments } from '../../shop/documents.ts';
import type { FailedRefund } from '../../shop/payment/due-work-flow.ts';
import type { OrderScan } from '../../shop/payment/scan-orders-flow.ts';
import type { RunningGateway } from './live-network.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryKeyVault, type KeyDisk } from './memory-key-vault.ts';
import { createMemoryReadModels } from './memory-read-models.ts';
import { ConnectionLost } from './network.ts';
import type { EventsOf } from './refusals.ts';
import type { ShopDisk } from './shop-tables.ts';
import type { SimulatedApi } from './simulated-api.ts';
import type { SimulatedIdentity } from './simulated-identity.ts';
import type { SimulatedMail } from './simulated-mail.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { SimulatedStripe } from './simulated-stripe.ts';
import type { World } from './world.ts';

export const ORIGIN = 'https://shop.test';

/** The services outside the shop. */
export interface Providers {
  readonly stripe: SimulatedStripe;
  readonly identity: SimulatedIdentity;
  readonly mail: SimulatedMail;
}

export interface RunningApi {
  readonly process: SimulatedProcess;
  readonly api: SimulatedApi;
}

/** A whole shop, with one or several processes. A process that dies is replaced after a while. */
export interface SimulatedShop {
  /** Returns the processes that accept requests at the moment. */
  apis(): readonly RunningApi[];
  /** Returns the gateways that accept connections at the moment. */
  gateways(): readonly RunningGateway[];
  processes(): readonly SimulatedProcess[];
  kill(process: SimulatedProcess): void;
  /** Returns the stream of each commit or event that the feed hasn't finished. */
  unfinished(): Promise<StreamName[]>;
  readonly stores: StoredShop;
}

/** The stored data, which is read directly, without network faults. */
export interface StoredShop {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
  readonly eventsOf: EventsOf;
}

export function readStores(disk: ShopDisk, keys: KeyDisk): StoredShop {
  const log = createMemoryEventLog(disk);
  const vault = createMemoryKeyVault(keys, () => {
    throw new Error('Reading creates no keys.');
  });
  return {
    log,
    sealing: createSealing({ vault, log, logger: { warn() {} } }),
    readModels: createMemoryReadModels(disk, shopDocuments),
    eventsOf: (stream) =>
      (disk.content.streams.get(stream) ?? []) as readonly StoredEvent[] as readonly RecordedEvent[],
  };
}

/**
 * Returns a log that reports AppendOutcomeUnknown if the connection is lost during an append. `onCommit` is called
 * after each successful append.
 */
export function withUnknownOutcomes(
  world: World,
  disk: ShopDisk,
  log: EventLog,
  onCommit: (commit: Commit) => void,
): EventLog {
  return {
    ...log,
    async append(commit) {
      try {
        const result = await log.append(commit);
        if (result.kind === 'appended') onCommit(commit);
        return result;
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        const name = commitName(commit.stream, commit.expectedVersion + 1);
        const isDurable = disk.content.commits.get(name)?.id === commit.id;
        world.note(`an append of unknown outcome was ${isDurable ? '' : 'not '}durable`);
        throw new AppendOutcomeUnknown(`Commit ${commit.id} may or may not be in the log.`, { cause: error });
      }
    },
  };
}

const scans = new WeakMap<SimulatedProcess, OrderScan>();

/** Returns the failed refunds that the running processes list in `/readyz`. */
export const listedFailures = (shop: SimulatedShop): readonly FailedRefund[] =>
  shop.processes().flatMap((process) => scans.get(process)?.failedRefunds() ?? []);

/** Creates the order flows of one process, which use the process's own clock, ids and random numbers. */
export function createFlows(
  world: World,
  { stripe, identity, mail }: Providers,
  {
    process,
    core,
    processingTtlMs,
    onCrash,
  }: { process: SimulatedProcess; core: ShopCore; processingTtlMs: number; onCrash: () => void },
) {
  const flows = createOrderFlows({
    core,
    identity: identity.connect(process, onCrash),
    stripe: stripe.connect(process, onCrash),
    forgetPayers: async () => {},
    mail: mail.connect(process, onCrash),
    origin: ORIGIN,
    processingTtlMs,
    clock: process.clock,
    logger: world.loggerOf(process),
    newId: process.dice.id,
    every: process.every,
    timing: process.timing,
  });
  scans.set(process, flows.scan);
  return flows;
}
