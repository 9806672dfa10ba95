import type { Canary } from './canary.ts';

/** Bugs in the live layer: in the gateway, in its broadcast and in the client. */
export const LIVE_CANARIES: readonly Canary[] = [
  {
    name: 'reconnected-page-does-not-catch-up',
    rule: 'LIVE2',
    effect: 'A page that was disconnected for a moment never shows the changes that were made in the meantime.',
    file: 'web/src/live/live-socket.ts',
    replace: ['if (connectedBefore || missedSome) catchUp();', 'if (missedSome) catchUp();'],
  },
  {
    name: 'queued-push-outlives-its-removal',
    rule: 'LIVE2',
    effect: 'A laptop that wakes up shows an order that was cancelled while it slept, until the page is reloaded.',
    file: 'web/src/live/live-socket.ts',
    replace: ['    queue.flush();\n', ''],
  },
  {
    name: 'response-hides-a-newer-push',
    rule: 'LIVE1',
    effect: 'A list that is fetched while an order is paid shows the order as unpaid.',
    file: 'web/src/live/take-answers.ts',
    replace: ['newer(viewOf(views, view._id), newer(pushes.get(view._id)?.view, view))', 'view'],
  },
  {
    name: 'lost-pushes-go-unnoticed',
    rule: 'LIVE5',
    effect: 'If Redis loses a push, every page that the push was meant for stays outdated.',
    file: 'servers/redis/publisher-watch.ts',
    replace: ["const missed = n > (type === 'push' ? known + 1 : known);", 'const missed = false;'],
  },
  {
    name: 'outage-ends-without-a-resync',
    rule: 'LIVE5',
    effect: 'After an outage of Redis, pages claim to be live but lack the changes that were made during the outage.',
    file: 'live/gateway.ts',
    replace: ["      socket.emit('resync', { reason: 'recovered' });\n", ''],
  },
  {
    name: 'customers-join-the-admins-room',
    rule: 'LIVE3',
    effect: "Every customer's browser gets the names and addresses of all other customers.",
    file: 'live/rooms.ts',
    replace: ["role === 'admin' ? [...own, 'admins'] : own", "[...own, 'admins']"],
  },
  {
    name: 'closed-connection-stays-closed',
    rule: 'LIVE2',
    effect: "A page whose connection the shop has closed, because the user's token expired, is never live again.",
    file: 'web/src/live/live-socket.ts',
    replace: ["if (reason === 'io server disconnect') returnLater();", ''],
  },
];
