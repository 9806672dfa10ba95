import type { Dice } from './dice.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * The faults of one network link. Each number is a probability per call, except `delay`, which is the usual delay in
 * ms.
 */
export interface LinkFaults {
  delay: number;
  /** the request or the response takes up to `SLOW_MS` */
  slow: number;
  /** the request doesn't arrive */
  lost: number;
  /** the request is carried out, but the response doesn't arrive */
  lostAnswer: number;
  /** the request is carried out a second time later */
  repeated: number;
  /** the calling process dies before it sends the request, or right after the request has reached the store */
  crash: number;
}

export const NO_FAULTS: Readonly<LinkFaults> = { delay: 1, slow: 0, lost: 0, lostAnswer: 0, repeated: 0, crash: 0 };

const SLOW_MS = 20_000;
/** Thrown if the connection breaks. The caller can't know whether the request was carried out. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

export interface Link {
  readonly time: VirtualTime;
  readonly process: SimulatedProcess;
  /** the name of the port, for the trace */
  readonly to: string;
  readonly dice: Dice;
  readonly faults: Readonly<LinkFaults>;
  /** how long a caller waits for a lost request or response before the connection counts as broken, in ms */
  readonly brokenAfter: number;
  /** true if the port is part of the process, so that a call on its way to the port is lost when the process dies */
  readonly inProcess?: boolean;
  /** returns true while the connection between the process and the port is cut */
  readonly isCut: () => boolean;
  /** called when a call meets a fault, with the fault's name */
  readonly onFault: (fault: keyof LinkFaults | 'cut', about: string) => void;
  /** called when the process dies during a call */
  readonly onCrash: () => void;
}

/**
 * Returns a port whose methods are called over a simulated network. If a request or response is lost, the call rejects
 * with ConnectionLost after `brokenAfter`. If the calling process is killed, the call never settles.
 */
export function throughNetwork<Port extends object>(link: Link, port: Port, methods = keysOf(port)): Port {
  const called = methods.map((method) => [method, createCall(link, String(method), port[method] as never)]);
  return { ...port, ...Object.fromEntries(called) };
}

const keysOf = <Port extends object>(port: Port) => Object.keys(port) as (keyof Port)[];

type Method = (...args: unknown[]) => Promise<unknown>;

function createCall(link: Link, method: string, perform: Method): Method {
  const { time, process, dice, faults, brokenAfter, inProcess, isCut, onFault, onCrash, to } = link;
  const about = `${process.name} ${to}.${method}`;

  function hits(fault: Exclude<keyof LinkFaults, 'delay'>): boolean {
    const hit = faults[fault] > 0 && dice.chance(faults[fault]);
    if (hit) onFault(fault, about);
    return hit;
  }
  function delay(): number {
    return hits('slow') ? dice.between(1_000, SLOW_MS) : dice.between(0, 2 * faults.delay);
  }

  return (...args) =>
    new Promise((resolve, reject) => {
      const broken = () =>
        void process.schedule(brokenAfter, () => reject(new ConnectionLost(`${to} does not answer ${method}.`)));
      const crash = hits('crash') ? dice.pick(['before', 'after'] as const) : null;
      if (crash === 'before') return onCrash();
      if (isCut()) {
        onFault('cut', about);
        return broken();
      }
      if (hits('lost')) return broken();
      const answer = (settle: () => void) => {
        if (hits('lostAnswer') || isCut()) return broken();
        time.schedule(delay(), () => process.run(settle));
      };
      time.schedule(delay(), () => {
        if (inProcess && !process.isAlive()) return;
        const performed = perform(...args);
        if (crash === 'after') onCrash();
        performed.then(
          (result) => answer(() => resolve(result)),
          (error: unknown) => answer(() => reject(error)),
        );
        if (hits('repeated')) time.schedule(dice.between(0, SLOW_MS), () => void perform(...args).catch(() => {}));
      });
    });
}
