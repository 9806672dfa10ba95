import { expect, it } from 'vitest';
import { filesOf, manifestSchema } from './page-scripts.ts';

it('filesOf() lists every statically imported file of a page once, and no dynamically imported files', () => {
  const manifest = manifestSchema.parse({
    'index.html': {
      file: 'index.js',
      imports: ['_react.js'],
      dynamicImports: ['home.tsx', 'admin.tsx'],
      css: ['a.css'],
    },
    'home.tsx': { file: 'home.js', imports: ['index.html', '_stars.js'], css: ['h.css'] },
    'admin.tsx': { file: 'admin.js', imports: ['index.html'] },
    '_react.js': { file: 'react.js' },
    '_stars.js': { file: 'stars.js', imports: ['_react.js'] },
  });
  const { scripts, styles } = filesOf(manifest, ['index.html', 'home.tsx']);
  expect(scripts.sort()).toEqual(['home.js', 'index.js', 'react.js', 'stars.js']);
  expect(styles.sort()).toEqual(['a.css', 'h.css']);
  expect(() => filesOf(manifest, ['gone.tsx'])).toThrow('gone.tsx');
});
