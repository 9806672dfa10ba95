import Stripe from 'stripe';
import type { Call } from './simulation.ts';

/** Returns the account's only webhook endpoint, which is the shop's. */
export function listWebhookEndpoints({ simulation: { settings } }: Call): Stripe.ApiList<Stripe.WebhookEndpoint> {
  const endpoint: Stripe.WebhookEndpoint = {
    id: 'we_00000000000001',
    object: 'webhook_endpoint',
    api_version: Stripe.API_VERSION,
    application: null,
    created: 0,
    description: null,
    enabled_events: [...settings.webhookEvents],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: settings.webhookUrl,
  };
  return { object: 'list', url: '/v1/webhook_endpoints', has_more: false, data: [endpoint] };
}
