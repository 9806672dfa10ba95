import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED, type RecordedEvent } from '../../contracts/events.ts';
import type { Schemas } from '../../contracts/upcast.ts';
import { UnknownSchemaVersion } from '../../contracts/upcast.ts';
import { freshStream, sampleEvent } from './sample-events.fixture.ts';
import { attributes, openOne, openVault, registered, sealOne } from './sealing.fixture.ts';
import type { Sealing } from './sealing.ts';

describe('upcasting', () => {
  const schemas: Schemas = {
    versions: { PaymentStarted: 3 },
    upcasters: {
      PaymentStarted: [
        ({ paymentIntent, ...data }) => ({ ...data, intent: paymentIntent }),
        (data) => ({ attempt: 1, ...data }),
      ],
    },
  };
  let sealing: Sealing;
  let sealingOf: ReturnType<typeof openVault>['sealingOf'];
  let close: () => Promise<void>;
  beforeEach(() => {
    ({ sealingOf, close } = openVault());
    sealing = sealingOf({ schemas });
  });
  afterEach(() => close());
  const inVersion = (schemaversion: number, data: Record<string, unknown>) =>
    sampleEvent(freshStream(), 1, { schemaversion, data });

  it('PRJ2 reading an event upcasts its data from any older schema version to the newest one', async () => {
    const newest = { intent: 'pi_1', attempt: 1, amount: 5 };
    const old = [
      inVersion(1, { paymentIntent: 'pi_1', amount: 5 }),
      inVersion(2, { intent: 'pi_1', amount: 5 }),
      inVersion(3, newest),
    ];
    const opened = await sealing.openAll(old);
    expect(opened.map(({ data }) => data)).toEqual([newest, newest, newest]);
    expect(opened.map(({ schemaversion }) => schemaversion)).toEqual([3, 3, 3]);
  });

  it('PRJ2 an upcaster receives decrypted personal data, and also works if that data has been erased', async () => {
    const event = registered();
    const stored = await sealOne(sealingOf(), event);
    const upper = sealingOf({
      schemas: {
        versions: { UserRegistered: 2 },
        upcasters: {
          UserRegistered: [(data) => ({ ...data, uid: `${data.uid}:${Object.keys(data.personal ?? {})}` })],
        },
      },
    });
    expect(await openOne(upper, stored)).toMatchObject({
      data: { uid: 'uid-1:email,name', personal: event.data.personal },
    });
    await upper.erase(event.data.person);
    expect(await openOne(upper, stored)).toMatchObject({
      data: { uid: 'uid-1:email,name', personal: { name: ERASED } },
    });
  });

  it("PRJ2 an event is sealed with its type's newest schema version", async () => {
    const event: RecordedEvent<'PaymentStarted'> = {
      ...attributes(),
      type: 'PaymentStarted',
      data: { intent: 'pi_1', attempt: 1, amount: 5 },
    };
    expect((await sealOne(sealing, event)).schemaversion).toBe(3);
    expect((await sealOne(sealing, { ...attributes(), type: 'AdminGranted', data: {} })).schemaversion).toBe(1);
  });

  it('PRJ2 an event written by a newer version of the program is unreadable, and the error names its type and schema version', async () => {
    const opening = openOne(sealing, inVersion(4, {}));
    await expect(opening).rejects.toThrow(UnknownSchemaVersion);
    await expect(opening).rejects.toThrow(/PaymentStarted.*schema version 4, this program knows 3/);
  });
});
