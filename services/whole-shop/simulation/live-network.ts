import type { Resync, ViewPush } from '../../contracts/pushes.ts';
import type { BrowserHost, CloseReason, ConnectionListener } from './browser.ts';
import type { Dice } from './dice.ts';
import type { MemoryLiveTransport, Wire } from './memory-live-transport.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

/** A process of the shop that accepts connections for pushes. */
export interface RunningGateway {
  readonly process: SimulatedProcess;
  readonly transport: MemoryLiveTransport;
}

/** Engine.IO's intervals: the server pings, and each side closes a connection on which it hears nothing. */
const PING_MS = 25_000;
const SERVER_PATIENCE_MS = PING_MS + 20_000;
const BROWSER_PATIENCE_MS = PING_MS + 20_000;
/** How long the browser waits for the first message of a new connection. */
const OPEN_TIMEOUT_MS = 5_000;

interface LiveNetworkSettings {
  readonly gateways: () => readonly RunningGateway[];
  readonly dice: Dice;
  /** called with each push that reaches a browser, and the credentials that the browser connected with */
  readonly onView: (push: ViewPush, auth: unknown) => void;
}

/**
 * Connects browsers to gateways. A connection carries messages in order. If it loses a message, everything after that
 * is lost as well, and both sides notice only because they no longer hear each other.
 */
export function createLiveNetwork(world: World, { gateways, dice, onView }: LiveNetworkSettings) {
  const { time, links } = world;
  const faults = links.live;

  return (browser: SimulatedProcess): BrowserHost['dial'] => {
    let last: string | null = null;
    return (auth, listener) => {
      const link = world.linkOf(browser, 'live', () => {});
      const running = gateways();
      const gateway = running.length === 0 ? null : dice.pick(running);
      let isOpen = true;
      let isBroken = false;
      let cancelWatchdog = () => {};

      /** Returns a function that sends messages one way. Messages that are sent while one is on its way share its delay. */
      function oneWay(to: SimulatedProcess): (deliver: () => void) => void {
        let queue: (() => void)[] = [];
        return (deliver) => {
          if (isBroken) return;
          if (link.isCut() || (faults.lost > 0 && dice.chance(faults.lost))) {
            isBroken = true;
            link.onFault(link.isCut() ? 'cut' : 'lost', `${browser.name} live.message`);
            return;
          }
          queue.push(deliver);
          if (queue.length > 1) return;
          time.schedule(dice.between(0, 2 * faults.delay), () => {
            const arrived = queue;
            queue = [];
            to.run(() => {
              for (const each of arrived) each();
            });
          });
        };
      }
      function end(tell: (to: ConnectionListener) => void): void {
        if (!isOpen) return;
        isOpen = false;
        cancelWatchdog();
        tell(listener);
      }
      const watch = (patience: number, tell: () => void) => {
        cancelWatchdog();
        cancelWatchdog = browser.schedule(patience, tell);
      };
      if (gateway === null || link.isCut()) {
        watch(dice.between(100, 2_000), () => end((to) => to.failed()));
        return () => end(() => {});
      }

      const [toBrowser, toGateway] = [oneWay(browser), oneWay(gateway.process)];
      const heard = () => watch(BROWSER_PATIENCE_MS, () => end((to) => to.closed('ping timeout')));
      const arrives = (tell: (to: ConnectionListener) => void) =>
        toBrowser(() => {
          if (!isOpen) return;
          heard();
          tell(listener);
        });
      let gone = () => {};
      let cancelServer = () => {};
      function watchBrowser(): void {
        cancelServer();
        cancelServer = gateway?.process.schedule(SERVER_PATIENCE_MS, () => hangUp('ping timeout')) ?? cancelServer;
      }
      function hangUp(reason: CloseReason): void {
        endPings();
        cancelServer();
        gone();
        toBrowser(() => end((to) => to.closed(reason)));
      }
      const endPings = gateway.process.every(PING_MS, () => {
        arrives(() => toGateway(watchBrowser));
      });
      const wire: Wire = {
        connected: () =>
          arrives((to) => {
            if (last !== null && last !== gateway.process.name) world.note('a browser reconnected to another gateway');
            last = gateway.process.name;
            to.connected();
          }),
        refused(reason) {
          endPings();
          cancelServer();
          world.note(`a live connection was refused: ${reason}`);
          toBrowser(() => end((to) => to.refused(reason)));
        },
        message(name, content) {
          if (isBroken && name === 'view') world.note('a push was lost on the way to a browser');
          arrives((to) => {
            if (name === 'view') onView(content as ViewPush, auth);
            if (isRoleChange(name, content)) world.note("a browser's role changed while it was connected");
            to.message(name, content);
          });
        },
        closed: hangUp,
      };
      watch(OPEN_TIMEOUT_MS, () => end((to) => to.failed()));
      toGateway(() => {
        watchBrowser();
        arrives(() => {});
        gone = gateway.transport.accept(auth, wire);
      });
      return () => {
        end(() => {});
        toGateway(() => {
          endPings();
          cancelServer();
          gone();
        });
      };
    };
  };
}

const isRoleChange = (name: string, content: unknown) =>
  name === 'resync' && (content as Resync).reason === 'roles_changed';
