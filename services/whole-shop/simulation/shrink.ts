import { NO_FAULTS } from './network.ts';
import type { Plan } from './plan.ts';
import { type Reduction, type SimulatedRun, simulate } from './simulate.ts';
import { DISASTERS, TARGETS } from './world.ts';

const MINUTE_MS = 60_000;

type Change = (plan: Plan) => Plan;

/** Returns the kind of a fault, which is the sentence about the broken rule without its ids and numbers. */
export const kindOf = (fault: string): string => fault.replace(/[0-9a-f]{16,}|\d+/g, '#');

/**
 * Looks for smaller runs that break a rule in the same way as the given run, and returns the smallest one found. First
 * leaves out some of the people, disasters, network faults and kinds of actions, then shortens the run, and finally
 * leaves out single actions. After each of these steps, calls `progress` with a description of the smallest run so far.
 */
export async function shrink(failed: SimulatedRun, progress: (text: string) => void = () => {}): Promise<SimulatedRun> {
  const wanted = kindOf(failed.faults[0] ?? '');
  let smallest = failed;
  let changes: readonly Change[] = [];
  let skipped: ReadonlySet<string> = new Set();

  async function stillFails(reduction: {
    changes?: readonly Change[];
    skipped?: ReadonlySet<string>;
  }): Promise<boolean> {
    const next = { changes, skipped, ...reduction };
    const whole: Reduction = {
      change: (plan) => next.changes.reduce((before, change) => change(before), plan),
      skipped: next.skipped,
    };
    const run = await simulate(failed.seed, whole);
    if (!run.faults.some((fault) => kindOf(fault) === wanted)) return false;
    ({ changes, skipped } = next);
    smallest = run;
    return true;
  }

  for (const change of takingOut(failed.plan)) await stillFails({ changes: [...changes, change] });
  progress(`${smallest.lines.length} lines after leaving out kinds of faults and activities`);
  for (const part of [0.2, 0.5, 0.8]) {
    const duration = Math.ceil(failed.plan.duration * part);
    if (await stillFails({ changes: [...changes, (plan) => ({ ...plan, duration })] })) break;
  }
  progress(`${smallest.lines.length} lines in ${Math.round(smallest.plan.duration / MINUTE_MS)} minutes`);
  // Tries to leave out each half of the actions, then each quarter, and so on (delta debugging).
  for (let parts = 2; parts <= smallest.actions.length; ) {
    const size = Math.ceil(smallest.actions.length / parts);
    let smaller = false;
    for (let from = 0; from < smallest.actions.length; from += size) {
      const without = smallest.actions.slice(from, from + size);
      if (without.length > 0 && (await stillFails({ skipped: new Set([...skipped, ...without]) }))) smaller = true;
    }
    if (size === 1 && !smaller) break;
    parts = Math.min(smallest.actions.length, smaller ? parts : parts * 2);
  }
  progress(`${smallest.actions.length} actions, ${smallest.lines.length} lines`);
  return smallest;
}

/**
 * Returns changes to a plan. Each change leaves out some of the people or browsers, mail failures, a disaster, a network fault or a
 * kind of action.
 */
function takingOut(plan: Plan): Change[] {
  const { links, disasters, workload } = plan;
  const withoutLinks = TARGETS.filter((target) =>
    Object.entries(links[target]).some(([name, rate]) => name !== 'delay' && rate > 0),
  ).flatMap((target): Change[] => [
    (before) => ({ ...before, links: { ...before.links, [target]: NO_FAULTS } }),
    ...(['slow', 'lost', 'lostAnswer', 'repeated', 'crash'] as const).map(
      (fault): Change =>
        (before) => ({ ...before, links: { ...before.links, [target]: { ...before.links[target], [fault]: 0 } } }),
    ),
  ]);
  const withoutDisasters = DISASTERS.filter((disaster) => disasters[disaster] > 0).map(
    (disaster): Change =>
      (before) => ({ ...before, disasters: { ...before.disasters, [disaster]: 0 } }),
  );
  const withoutActions = Object.entries(workload)
    .filter(([, weight]) => weight > 0)
    .map(
      ([action]): Change =>
        (before) => ({ ...before, workload: { ...before.workload, [action]: 0 } }),
    );
  const fewer: Change[] = [
    (before) => ({ ...before, mail: { forNow: 0, forGood: 0 } }),
    (before) => ({ ...before, customers: 1 }),
    (before) => ({ ...before, customers: 2 }),
    (before) => ({ ...before, admins: 1 }),
    (before) => ({ ...before, browsers: 0 }),
    (before) => ({ ...before, browsers: 2 }),
  ];
  return [...fewer, ...withoutDisasters, ...withoutLinks, ...withoutActions];
}

/**
 * Returns the lines of a run that explain its faults: the lines with an id that a fault mentions, and those about
 * disasters and processes. Returns all lines if there are at most `most`.
 */
export function linesOf({ lines, faults }: SimulatedRun, most = 150): readonly string[] {
  if (lines.length <= most) return lines;
  const ids = faults.flatMap((fault) => fault.match(/[0-9a-f]{16,}/g) ?? []).map((id) => id.slice(0, 6));
  const isKept = (line: string) =>
    /disaster|dies|starts|FAULT|faults end/.test(line) || ids.some((id) => line.includes(id));
  return lines.filter(isKept);
}
