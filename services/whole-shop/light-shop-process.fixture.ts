import { startLightShop } from './light-shop.fixture.ts';

/** A light shop in a process of its own, to be killed: `light-shop-process DATA_DIR`. */
const dataDir = process.argv[2];
if (!dataDir) throw new Error('Which data directory?');
const shop = await startLightShop(dataDir);
process.stdout.write(`ready ${shop.url}\n`);
