import { startLightShop } from './light-shop.fixture.ts';

/** A light shop in a process of its own, to be killed: `light-shop-process DATA_DIR [SMTP_URL]`. */
const [, , dataDir, smtpUrl] = process.argv;
if (!dataDir) throw new Error('Which data directory?');
const shop = await startLightShop(dataDir, smtpUrl ? { mail: { smtpUrl, from: 'orders@shop.example' } } : {});
process.stdout.write(`ready ${shop.url}\n`);
