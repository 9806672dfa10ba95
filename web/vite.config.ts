import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';

/** Where `npm run dev` finds the rest of the shop. */
const SHOP_ORIGIN = process.env.SHOP_ORIGIN ?? 'http://127.0.0.1:8080';

/** The first path segments that the shop itself answers: its API and its demo providers. */
const SHOP_PATHS = [
  'admin',
  'board',
  'config.json',
  'create-payment-intent',
  'demo-accounts.json',
  'demo-mailbox',
  'demo-stripe',
  'docs',
  'emulator',
  'healthz',
  'identitytoolkit.googleapis.com',
  'individual',
  'metrics',
  'openapi.json',
  'orders',
  'packing',
  'product',
  'products',
  'promise',
  'readyz',
  'reviews',
  'securetoken.googleapis.com',
  'shipments',
  'similar',
  'tracking',
  'users',
  'webhooks',
];

const toShop: ProxyOptions = { target: SHOP_ORIGIN, changeOrigin: false };

export default defineConfig({
  plugins: [react()],
  server: {
    // A build beside the running server, which takes the place of dist/.
    watch: { ignored: ['**/.building-*/**'] },
    proxy: {
      [`^/(${SHOP_PATHS.map((path) => path.replaceAll('.', '\\.')).join('|')})(/|\\?|$)`]: toShop,
      '/socket.io': { ...toShop, ws: true },
    },
  },
  css: {
    transformer: 'lightningcss',
    lightningcss: {
      drafts: { customMedia: true },
      // Those of `build.target`, as Lightning CSS writes them: version << 16 | minor << 8.
      targets: { chrome: 123 << 16, edge: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) },
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Which script needs which: what `npm run check:size` weighs.
    manifest: true,
    // The first browsers with light-dark(): older targets would have it rewritten in a way that Mantine's theme defeats.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        entryFileNames: 'static/js/[name].[hash].js',
        chunkFileNames: 'static/js/[name].[hash].chunk.js',
        assetFileNames: 'static/assets/[name].[hash][extname]',
      },
    },
  },
});
