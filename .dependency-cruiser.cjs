/** Which folder may import which: data and imports run one way (ARCHITECTURE.md). */
const ADAPTERS_STAND_ON = [
  ...['contracts', 'runtime', 'shop', 'engine', 'flows', 'identity', 'live', 'http', 'demo', 'process'],
];

const TESTS = '\\.(test|contract|fixture)\\.tsx?$';

/** A rule that the files of `folder` import only from `allowed` folders of services, and from packages. */
const only = (folder, allowed) => ({
  name: `${folder}-imports`,
  comment: `services/${folder} may import only: ${allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^services/${folder}/`, pathNot: TESTS },
  to: { path: '^(services|web|infra)/', pathNot: `(^services/(${[folder, ...allowed].join('|')})/|/node_modules/)` },
});

/** The client's rooms but for its composition (`app`), and what each may import. */
const CLIENT_ROOMS = {
  ui: [],
  api: ['ui'],
  live: ['api', 'ui'],
  session: ['live', 'api', 'ui'],
  shop: ['live', 'api', 'ui'],
  features: ['shop', 'session', 'live', 'api', 'ui'],
};

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-main',
      severity: 'error',
      from: { pathNot: '(^services/(main|whole-shop)/|\\.(test|fixture)\\.tsx?$|^web/e2e/)' },
      to: { path: '^services/main/' },
    },
    {
      name: 'web-imports-contracts-alone',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^services/', pathNot: '^services/contracts/' },
    },
    ...Object.entries(CLIENT_ROOMS).map(([room, allowed]) => ({
      name: `web-${room}-imports`,
      comment: `web/src/${room} may import only: ${allowed.join(', ')}`,
      severity: 'error',
      from: { path: `^web/src/${room}/`, pathNot: TESTS },
      to: { path: '^web/src/', pathNot: `^web/src/(${[room, ...allowed].join('|')})/` },
    })),
    {
      name: 'features-import-no-feature',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/', pathNot: TESTS },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    { name: 'services-do-not-import-web', severity: 'error', from: { path: '^services/' }, to: { path: '^web/' } },
    {
      name: 'no-tests-in-product-code',
      severity: 'error',
      from: {
        path: '^(services|web/src)/',
        pathNot: '(\\.(test|contract|fixture)\\.tsx?$|^services/whole-shop/)',
      },
      to: { path: TESTS },
    },
    {
      name: 'no-dev-packages-in-services',
      severity: 'error',
      from: {
        path: '^services/',
        pathNot:
          '(\\.(test|contract|fixture)\\.ts$|^services/(whole-shop|main/dev\\.ts|demo/identity/emulator-child\\.ts))',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
    {
      name: 'a-real-shop-loads-no-demo',
      comment: 'what only a demo runs is loaded where a demo is started',
      severity: 'error',
      from: { path: '^services/', pathNot: `^services/(demo|whole-shop)/|^services/main/demo-|${TESTS}` },
      to: { path: '^services/demo/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    only('contracts', []),
    only('runtime', ['contracts']),
    only('shop', ['contracts']),
    only('engine', ['contracts', 'runtime']),
    only('flows', ['contracts', 'runtime', 'shop', 'engine', 'identity']),
    only('identity', ['contracts', 'runtime']),
    only('live', ['contracts', 'runtime', 'engine']),
    only('http', ['contracts', 'runtime', 'shop', 'engine', 'flows', 'identity']),
    only('demo', ['contracts', 'runtime', 'shop', 'engine', 'flows', 'identity', 'process']),
    only('process', ['contracts', 'runtime', 'shop', 'engine', 'flows', 'identity', 'live', 'http', 'demo']),
    only('embedded', [...ADAPTERS_STAND_ON]),
    only('servers', [...ADAPTERS_STAND_ON]),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'services/tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
