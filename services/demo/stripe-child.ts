import { systemClock } from '../runtime/clock.ts';
import { runProvider } from './run-provider.ts';
import { simulatorSettingsSchema } from './stripe/settings.ts';
import { randomObjectId } from './stripe/simulation.ts';
import { createStripeSimulator } from './stripe/simulator.ts';

runProvider(simulatorSettingsSchema, async (settings) => {
  const simulator = createStripeSimulator({
    ...settings,
    clock: systemClock,
    newId: randomObjectId,
    onError: (error) => console.error('stripe simulator:', error),
  });
  return { listen: (port) => void simulator.start(port), stop: simulator.stop };
});
