import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startReadyProcess } from '../ready-process.fixture.ts';
import { type Checkout, checkOut, HERE } from './checkout.ts';
import type { Family, Figures } from './family.ts';
import { paying } from './paying.ts';
import { placing } from './placing.ts';
import { pushing } from './pushing.ts';
import { board, listing } from './reading.ts';
import { memory, starting } from './running.ts';
import { median } from './statistics.ts';

const FAMILIES: readonly Family[] = [placing, paying, pushing, listing, board, memory, starting];

/**
 * The options of `npm run bench`. `--only list,start` selects benchmarks by name, `--compare COMMIT` also measures
 * another commit, and `--rounds 1` is for a quick look.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: FAMILIES.map(({ name }) => name).join() },
    compare: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
});
const ROUNDS = z.coerce.number().int().positive().parse(values.rounds);
const WANTED = values.only.split(',').map((name) => {
  const found = FAMILIES.find((family) => family.name === name);
  if (!found)
    throw new Error(
      `Unknown benchmark: ${name}. Available benchmarks: ${FAMILIES.map((family) => family.name).join(', ')}.`,
    );
  return found;
});
const RESULTS = fileURLToPath(new URL('./RESULTS.md', import.meta.url));

const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * What one column of the results table measures: this source tree, another commit of the shop, or the minimal server
 * (floor-server.ts). Each round measures all columns in turn.
 */
interface Side {
  readonly name: string;
  measure(family: Family): Promise<Figures>;
}

/** Returns one table row per figure, with each column's median over all rounds. */
async function rowsOf(family: Family, sides: readonly Side[]): Promise<string[]> {
  const measured = new Map<string, Map<string, number[]>>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const side of sides) {
      const figures = await side.measure(family);
      for (const [what, figure] of Object.entries(figures)) {
        const bySide = measured.get(what) ?? new Map<string, number[]>();
        measured.set(what, bySide.set(side.name, [...(bySide.get(side.name) ?? []), figure]));
        print(`${family.name} ${round}/${ROUNDS}, ${side.name}: ${what}: ${written(figure)}`);
      }
    }
  }
  return [...measured].map(([what, bySide]) => {
    const cells = sides.map(({ name }) => {
      const figures = bySide.get(name);
      return figures ? written(median(figures)) : '';
    });
    return `| ${[what, ...cells, family.goals[what] ?? ''].join(' | ')} |`;
  });
}

function written(figure: number): string {
  const digits = figure < 10 ? 2 : figure < 100 ? 1 : 0;
  return figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function report(sides: readonly Side[], rows: readonly string[], loadBefore: number): void {
  const cpu = cpus();
  const lines = [
    '# Benchmark results',
    '',
    'Written by `npm run bench`. Every figure is measured in turns with those beside it, each time at a shop of its own as `npm start`',
    `runs it; medians of ${ROUNDS}. The floor is a server of Express and socket.io that checks, decides and keeps nothing.`,
    'Shop, floor and load run on the same machine.',
    '',
    `Machine: ${cpu.length} x ${cpu[0]?.model ?? 'unknown'}, Node ${process.version}, load ${loadBefore.toFixed(1)} before.`,
    'Compare columns, not figures of different machines.',
    '',
    `| what | ${sides.map(({ name }) => name).join(' | ')} | goal |`,
    `| --- |${' --- |'.repeat(sides.length + 1)}`,
    ...rows,
    '',
  ];
  for (const line of lines) print(line);
  // A run with `--only` measures only some of the rows, so it must not overwrite the results of a full run.
  if (WANTED.length === FAMILIES.length) writeFileSync(RESULTS, lines.join('\n'));
}

async function main(): Promise<void> {
  const [load = 0] = loadavg();
  const floor = await startReadyProcess('floor-server');
  let other: Checkout | undefined;
  try {
    other = values.compare === undefined ? undefined : checkOut(values.compare);
    const sides: Side[] = [
      ...(other ? [shopIn(other.name, other.root)] : []),
      shopIn('shop', HERE),
      { name: 'floor', measure: async (family) => family.floor?.(floor.url) ?? {} },
    ];
    const rows: string[] = [];
    for (const family of WANTED) rows.push(...(await rowsOf(family, sides)));
    report(sides, rows, load);
  } finally {
    other?.remove();
    await floor.kill();
  }
}

function shopIn(name: string, root: string): Side {
  return { name, measure: (family) => family.measure(root) };
}

await main();
process.exit();
