import { startLightShop } from './light-shop.fixture.ts';

/**
 * `light-shop-process DATA_DIR [SMTP_URL]` calls `startLightShop` in a separate process, so that a test can kill that
 * process.
 */
const [, , dataDir, smtpUrl] = process.argv;
if (!dataDir) throw new Error('Usage: light-shop-process DATA_DIR [SMTP_URL]');
const mail = smtpUrl ? { mail: { smtpUrl, from: 'orders@shop.example' } } : {};
const shop = await startLightShop(dataDir, mail, (reason) => {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
});
process.stdout.write(`ready ${shop.url}\n`);
