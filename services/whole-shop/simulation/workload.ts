import { ADMIN_ACTIONS } from './admin-actions.ts';
import { CUSTOMER_ACTIONS } from './customer-actions.ts';
import type { Dice } from './dice.ts';
import { type Person, signIn } from './people.ts';
import type { Site } from './site.ts';

/** How often people perform each action, relative to the other actions. 0 means never. */
export type Workload = Readonly<Record<keyof typeof CUSTOMER_ACTIONS | keyof typeof ADMIN_ACTIONS, number>>;

function pickWeighted<Name extends string>(dice: Dice, weights: Readonly<Record<Name, number>>): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let left = dice.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  throw new Error('Nobody does anything in this workload.');
}

/**
 * Lets a person act in one tab until `end`, about once every `pause` ms. Admins mostly act as admins, and everybody else
 * acts as a customer. Each action has its own random numbers, so that leaving out an action doesn't change the person's
 * other actions.
 */
export async function act(
  site: Site,
  person: Person,
  { workload, pause }: { readonly workload: Workload; readonly pause: number },
  { label, end }: { label: string; end: number },
): Promise<void> {
  const { world } = site;
  const { dice } = person;
  const actions = { ...CUSTOMER_ACTIONS, ...ADMIN_ACTIONS };
  const weightsOf = (group: object) => {
    const names = Object.keys(group) as (keyof Workload)[];
    return Object.fromEntries(names.map((name) => [name, workload[name]])) as Workload;
  };
  const [asAdmin, asCustomer] = [weightsOf(ADMIN_ACTIONS), weightsOf(CUSTOMER_ACTIONS)];
  for (let number = 1; ; number += 1) {
    await world.time.sleep(dice.between(1, 2 * pause));
    if (world.time.now() >= end) return;
    person.dice = dice.fork();
    const name = pickWeighted(dice, person.isAdmin && person.dice.chance(0.9) ? asAdmin : asCustomer);
    const action = `${label} ${number} ${name}`;
    if (site.skipped.has(action)) continue;
    site.done.push(action);
    if (await signIn(person, site.client, site.providers)) await actions[name](site, person);
  }
}
