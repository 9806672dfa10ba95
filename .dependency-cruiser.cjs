/** Lists for each folder which others it may import (ARCHITECTURE.md). No two folders list each other, so imports run one way. */
const SERVICES = {
  contracts: [],
  runtime: ['contracts'],
  engine: ['contracts', 'runtime'],
  identity: ['contracts', 'runtime'],
  http: ['contracts', 'runtime', 'engine', 'identity'],
  shop: ['contracts', 'runtime', 'engine', 'identity', 'http'],
  pages: ['contracts', 'runtime', 'engine', 'identity', 'http', 'shop'],
  live: ['contracts', 'runtime', 'engine'],
  demo: ['contracts', 'runtime', 'engine', 'identity', 'http', 'shop'],
  process: ['contracts', 'runtime', 'engine', 'identity', 'http', 'shop', 'pages', 'live', 'demo'],
  embedded: ['contracts', 'runtime', 'engine', 'identity', 'http', 'shop', 'pages', 'live', 'demo', 'process'],
  servers: ['contracts', 'runtime', 'engine', 'identity', 'http', 'shop', 'pages', 'live', 'demo', 'process'],
};

/** The rooms of `services/shop`, one per subject, from the lowest to the highest. A room may import only itself and lower rooms. */
const ROOMS = ['product', 'order', 'payment', 'mail', 'review', 'tracking', 'packing', 'ledger', 'people'];

/** Lists the same for the client. `app` isn't listed because it composes the client and may import all of these folders. */
const CLIENT = {
  ui: [],
  api: ['ui'],
  live: ['api', 'ui'],
  session: ['live', 'api', 'ui'],
  shop: ['live', 'api', 'ui'],
  features: ['shop', 'session', 'live', 'api', 'ui'],
};

const TESTS = '\\.(test|contract|fixture)\\.tsx?$';
/** The only files of a room that aren't pure. */
const FLOWS_AND_ROUTES = '-(flow|routes)\\.ts$';

/** Returns one rule per folder. Within `base`, a folder may import only its allowed folders. It may import nothing from `others`. */
const onlyAllowed = (base, folders, others = []) =>
  Object.entries(folders).map(([folder, allowed]) => ({
    name: `${base.replace('/', '-')}-${folder}-imports`,
    comment: `${base}/${folder} may import ${allowed.join(', ') || 'none of the other folders'}.`,
    severity: 'error',
    from: { path: `^${base}/${folder}/`, pathNot: TESTS },
    to: {
      path: `^(${[base, ...others].join('|')})/`,
      pathNot: `(^${base}/(${[folder, ...allowed].join('|')})/|/node_modules/)`,
    },
  }));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'These files import each other in a cycle. Move the code that both need into a separate file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-imports-main',
      comment: 'Each file in services/main is a program of its own. Move the code that others need to another folder.',
      severity: 'error',
      from: { pathNot: '(^services/(main|whole-shop)/|\\.(test|fixture)\\.tsx?$|^web/e2e/)' },
      to: { path: '^services/main/' },
    },
    {
      name: 'web-imports-contracts-alone',
      comment: 'The client may import only services/contracts from services.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^services/', pathNot: '^services/contracts/' },
    },
    ...onlyAllowed('web/src', CLIENT),
    {
      name: 'features-import-no-feature',
      comment: 'Code that several features share belongs in web/src/shop or web/src/ui.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/', pathNot: TESTS },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'services-do-not-import-web',
      comment: 'Code that both sides share belongs in services/contracts.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^web/' },
    },
    {
      name: 'no-tests-in-product-code',
      comment: 'Only tests may import tests, contract suites and fixtures.',
      severity: 'error',
      from: {
        path: '^(services|web/src)/',
        pathNot: '(\\.(test|contract|fixture)\\.tsx?$|^services/whole-shop/)',
      },
      to: { path: TESTS },
    },
    {
      name: 'no-dev-packages-in-services',
      comment: 'A shop in production is installed without devDependencies. Move the package to dependencies.',
      severity: 'error',
      from: {
        path: '^services/',
        pathNot: '(\\.(test|contract|fixture)\\.ts$|^services/(whole-shop|demo/identity/load-emulator\\.ts))',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
    {
      name: 'a-real-shop-loads-no-demo',
      comment: 'A real shop never loads services/demo. Use `import type`, or `await import(...)` where a demo starts.',
      severity: 'error',
      from: { path: '^services/', pathNot: `^services/(demo|whole-shop)/|^services/main/demo-|${TESTS}` },
      to: { path: '^services/demo/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    ...onlyAllowed('services', SERVICES, ['web', 'infra']),
    {
      name: 'engine-names-no-subject',
      comment: "services/engine may not import a subject's contracts, only what is directly in services/contracts.",
      severity: 'error',
      from: { path: '^services/engine/', pathNot: TESTS },
      to: { path: '^services/contracts/[^/]+/' },
    },
    ...ROOMS.slice(0, -1).map((room, floor) => ({
      name: `services-shop-${room}-imports`,
      comment: `services/shop/${room} may import only lower rooms: ${ROOMS.slice(0, floor).join(', ') || 'there are none'}.`,
      severity: 'error',
      from: { path: `^services/shop/${room}/`, pathNot: TESTS },
      to: { path: `^services/shop/((${ROOMS.slice(floor + 1).join('|')})/|[^/]+$)` },
    })),
    {
      name: 'rooms-are-pure',
      comment: 'Only the files *-flow.ts and *-routes.ts of a room may act. All others import pure code and types.',
      severity: 'error',
      from: { path: '^services/shop/', pathNot: `(${FLOWS_AND_ROUTES}|${TESTS})` },
      to: {
        path: `(^services/(?!contracts/|shop/)|^services/shop/.*${FLOWS_AND_ROUTES}|node_modules/(?!(zod|escape-html)/)|^(?!util$)[^/]+$)`,
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.test-programs)/' },
    tsConfig: { fileName: 'services/tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
