import type { EventType, RecordedEvent } from '../../contracts/events.ts';
import type { CommandMeta } from '../commands/command.ts';
import type { CommandHandler } from '../commands/command-handler.ts';

export interface PolicyContext {
  readonly handler: CommandHandler;
  /** Returns the metadata of a command that the event causes. The command's actor is `system:<step>`. */
  metaOf(event: RecordedEvent, step: string): Omit<CommandMeta, 'cause'>;
}

/**
 * For some types of events, what follows from an event on other streams. A policy executes commands. It resolves to
 * false while it is still at work, and the feed then redelivers the event. It is idempotent (FEED2), and never waits for
 * a service outside the shop, because later events wait for it.
 */
export type Policies<Context extends PolicyContext = PolicyContext> = {
  readonly [T in EventType]?: (context: Context, event: RecordedEvent<T>) => Promise<boolean>;
};

/** Runs the policies of one event. Returns true once all of them are done. */
export async function runPolicies<Context extends PolicyContext>(
  all: readonly Policies<Context>[],
  context: Context,
  event: RecordedEvent,
): Promise<boolean> {
  type Step = (context: Context, event: RecordedEvent) => Promise<boolean>;
  const steps = all.flatMap((ofRoom) => (ofRoom[event.type] as Step | undefined) ?? []);
  return (await Promise.all(steps.map((step) => step(context, event)))).every(Boolean);
}
