import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { skipN } from 'pure-rand/utils/skipN';

/** A source of pseudorandom numbers. The same seed always gives the same numbers, on every version of Node. */
export interface Dice {
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
  /** Returns an integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  bytes(count: number): Buffer;
  /** Returns 32 hexadecimal digits, the format of the shop's ids. */
  id(): string;
  /**
   * Returns a new, independent source of numbers. Drawing more numbers from this source doesn't change the numbers of
   * the new one.
   */
  fork(): Dice;
}

/** Similar seeds give similar first numbers, so this many numbers are skipped at the start. */
const THROWN_AWAY = 64;

export function createDice(seed: number): Dice {
  const generator = xoroshiro128plus(seed);
  skipN(generator, THROWN_AWAY);
  const between = (least: number, most: number) => uniformInt(generator, least, most);
  const random = () => uniformFloat64(generator);
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => between(0, 255)));
  return {
    random,
    between,
    bytes,
    chance: (probability) => random() < probability,
    pick<T>(from: readonly T[]) {
      if (from.length === 0) throw new Error('There is nothing to pick from.');
      return from[between(0, from.length - 1)] as T;
    },
    id: () => bytes(16).toString('hex'),
    fork: () => createDice(between(-0x80000000, 0x7fffffff)),
  };
}
