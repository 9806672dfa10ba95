import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { Policies, PolicyContext } from '../../engine/projector/policies.ts';
import { ERASE_LATE, type Erasures, eraseLate } from './erase-person-flow.ts';

export interface ErasureContext extends PolicyContext {
  /** undefined if this process can't erase personal data, in which case any policy that has to do so fails */
  readonly erasures: Pick<Erasures, 'follow' | 'wipe'> | undefined;
}

async function afterPersonalEvent(
  { handler, metaOf }: ErasureContext,
  event: RecordedEvent<'OrderPlaced' | 'ReviewPosted'>,
): Promise<boolean> {
  await eraseLate(handler, event, metaOf(event, 'erase-late'));
  return true;
}

function erasuresOf({ erasures }: ErasureContext): Pick<Erasures, 'follow' | 'wipe'> {
  if (!erasures) throw new Error('This process cannot erase anyone.');
  return erasures;
}

export const peoplePolicies: Policies<ErasureContext> = {
  OrderPlaced: afterPersonalEvent,
  ReviewPosted: afterPersonalEvent,

  async AccountClosed(context, event) {
    if (event.data.reason !== 'erased') return true;
    const { id: userId } = parseStreamName(event.subject);
    return erasuresOf(context).follow(userId, context.metaOf(event, 'erase-person'));
  },

  /** By now, all of the person's documents have been saved without personal data. */
  async ErasureCompleted(context) {
    await erasuresOf(context).wipe();
    return true;
  },

  /** If the person's own erasure is already complete, nothing else removes this document's personal data from files. */
  async PersonalDataErased(context, event) {
    if (event.cause.startsWith(ERASE_LATE)) await erasuresOf(context).wipe();
    return true;
  },
};
