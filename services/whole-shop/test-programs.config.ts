import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vite';
import shop from '../vite.config.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Builds the shop's programs, and the programs that only tests and benchmarks use. Each key of `input` is the name of
 * an output file.
 */
export default mergeConfig(shop, {
  build: {
    rolldownOptions: {
      input: {
        'role-process': fileOf('./role-process.fixture.ts'),
        'light-shop-process': fileOf('./light-shop-process.fixture.ts'),
        'floor-server': fileOf('./benchmarks/floor-server.ts'),
        'append-forever': fileOf('../embedded/sqlite/append-forever.fixture.ts'),
        'consume-forever': fileOf('../servers/kafka/consume-forever.fixture.ts'),
      },
    },
  },
});
