import { finishPayment, settleCharge } from './confirmation.ts';
import { openDispute } from './disputes.ts';
import { StripeFault } from './errors.ts';
import type { LaterWork } from './later.ts';
import { payOutRegularly } from './payouts.ts';
import { changeRefund, makeHeldRefund } from './refunds.ts';
import { type Call, ownCall, type Simulation } from './simulation.ts';

/** The longest delay before the next check. It's capped so that a change to the system clock is noticed. */
const LONGEST_WAIT_MS = 60_000;

/** The simulated banks, which decide about payments, refunds and disputes some time after the shop's call. */
export interface Banks {
  start(): void;
  /** Call this after a commit that scheduled work. */
  wake(): void;
  stop(): Promise<void>;
}

/** `onDone` is called after a commit that may have added webhook deliveries. */
export function createBanks(simulation: Simulation, onDone: () => void, onError: (error: unknown) => void): Banks {
  const { later, commit, clock } = simulation;
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let working: Promise<void> = Promise.resolve();

  function wake(): void {
    clearTimeout(timer);
    const next = running ? later.nextAt() : undefined;
    if (next === undefined) return;
    const wait = Math.min(Math.max(next - clock(), 0), LONGEST_WAIT_MS);
    timer = setTimeout(() => {
      working = look();
    }, wait);
  }

  async function look(): Promise<void> {
    try {
      await commit(() => doDueWork(simulation));
      onDone();
      wake();
    } catch (error) {
      onError(error);
    }
  }

  return {
    start() {
      running = true;
      wake();
    },
    wake,
    async stop() {
      running = false;
      clearTimeout(timer);
      await working;
    },
  };
}

/**
 * Does the work that is due. Skips work that is no longer possible, e.g. because somebody decided earlier. Must run in a
 * transaction.
 */
export function doDueWork(simulation: Simulation): void {
  for (const work of simulation.later.takeDue(simulation.clock())) {
    try {
      doWork(ownCall(simulation), work);
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
    }
  }
}

function doWork(call: Call, work: LaterWork): unknown {
  switch (work.kind) {
    case 'settle_charge':
      return settleCharge(call, work.charge);
    case 'finish_payment':
      return finishPayment(call, work.intent, work.outcome);
    case 'decide_refund':
      return changeRefund(call, work.refund, work.status);
    case 'make_held_refund':
      return makeHeldRefund(call, work.refund);
    case 'pay_out':
      return payOutRegularly(call);
    case 'open_dispute':
      return openDispute(call, work.charge, work.params);
  }
}
