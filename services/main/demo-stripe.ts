import { join } from 'node:path';
import { z } from 'zod';
import { randomObjectId } from '../demo/stripe/simulation.ts';
import { createStripeSimulator } from '../demo/stripe/simulator.ts';
import { demoStripeKeys } from '../process/demo-stripe-keys.ts';
import { runProcess } from '../process/run-process.ts';
import { systemClock } from '../runtime/clock.ts';
import { ConfigError } from '../runtime/config.ts';
import { WEBHOOK_EVENTS } from '../shop/payment/payments.ts';

const variablesSchema = z.object({
  ACCESS_TOKEN_SECRET: z.string({ error: 'is missing' }),
  WEBHOOK_URL: z.url({ protocol: /^https?$/, error: 'is an address such as http://web:8080/webhooks/stripe' }),
});

function readVariables(variables: NodeJS.ProcessEnv): z.infer<typeof variablesSchema> {
  const parsed = variablesSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
  throw new ConfigError(`Configuration: ${complaints.join('; ')}.`);
}

/** Runs the Stripe simulator as a separate process, for a demo shop that uses MongoDB, Kafka and Redis servers. */
runProcess(async ({ host, port, dataDir }, { logger }) => {
  const { ACCESS_TOKEN_SECRET: secret, WEBHOOK_URL: webhookUrl } = readVariables(process.env);
  const simulator = createStripeSimulator({
    dataFile: join(dataDir, 'stripe.sqlite'),
    ...demoStripeKeys(secret),
    webhookUrl,
    webhookEvents: [...WEBHOOK_EVENTS],
    clock: systemClock,
    newId: randomObjectId,
    onError: (error) => logger.error({ err: error }, 'the Stripe simulator could not handle a request'),
  });
  const listening = await simulator.start({ port, host });
  return { origin: `http://${host}:${listening.port}`, stop: simulator.stop };
});
