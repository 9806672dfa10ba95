import { startLightShop } from './light-shop.fixture.ts';

/**
 * `light-shop-process DATA_DIR [SMTP_URL]` calls `startLightShop` in a separate process, so that a test can kill that
 * process. STRIPE_SIMULATOR_PORT is the port of a payment simulator that outlives the process.
 */
const [, , dataDir, smtpUrl] = process.argv;
if (!dataDir) throw new Error('Usage: light-shop-process DATA_DIR [SMTP_URL]');
const mail = smtpUrl ? { mail: { smtpUrl, from: 'orders@shop.example' } } : {};
const { STRIPE_SIMULATOR_PORT: port } = process.env;
const onFatal = (reason: string) => {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
};
const shop = await startLightShop(dataDir, mail, onFatal, {
  stripePort: port === undefined ? undefined : Number(port),
});
process.stdout.write(`ready ${shop.url}\n`);
