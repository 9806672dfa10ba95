/** Which folder may import which: data and imports run one way (ARCHITECTURE.md). */
const ports = ['event-log', 'event-feed', 'read-models'];

/** A rule that the files of `folder` import only from `allowed` folders of services, and from packages. */
const only = (folder, allowed) => ({
  name: `${folder}-imports`,
  comment: `services/${folder} may import only: ${allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^services/${folder}/`, pathNot: '\\.(test|contract|fixture)\\.tsx?$' },
  to: { path: '^(services|web|infra)/', pathNot: `(^services/(${[folder, ...allowed].join('|')})/|/node_modules/)` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-main',
      severity: 'error',
      from: { pathNot: '(^services/(main|benchmarks|e2e|fuzz)/|\\.(test|fixture)\\.tsx?$|^web/e2e/)' },
      to: { path: '^services/main/' },
    },
    {
      name: 'web-imports-contracts-alone',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^services/', pathNot: '^services/contracts/' },
    },
    { name: 'services-do-not-import-web', severity: 'error', from: { path: '^services/' }, to: { path: '^web/' } },
    {
      name: 'no-tests-in-product-code',
      severity: 'error',
      from: {
        path: '^(services|web/src)/',
        pathNot: '(\\.(test|contract|fixture)\\.tsx?$|^services/(benchmarks|fuzz)/)',
      },
      to: { path: '\\.(test|contract|fixture)\\.tsx?$' },
    },
    {
      name: 'no-dev-packages-in-services',
      severity: 'error',
      from: {
        path: '^services/',
        pathNot:
          '(\\.(test|contract|fixture)\\.ts$|^services/(e2e|benchmarks|fuzz|main/dev\\.ts|identity/emulator-child\\.ts))',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
    only('contracts', []),
    only('domain', ['contracts']),
    only('runtime', ['contracts']),
    ...ports.map((port) => only(port, ['contracts', 'runtime'])),
    only('command-handler', ['contracts', 'domain', 'event-log', 'runtime']),
    only('projector', ['contracts', 'domain', 'event-log', 'event-feed', 'read-models', 'live', 'policies', 'runtime']),
    only('policies', ['contracts', 'domain', 'command-handler', 'read-models', 'payments', 'runtime']),
    only('payments', ['contracts', 'domain', 'command-handler', 'runtime']),
    only('stripe-simulator', ['runtime']),
    only('identity', ['contracts', 'runtime']),
    only('live', ['contracts', 'runtime']),
    only('api', [
      'contracts',
      'domain',
      'command-handler',
      'event-log',
      'read-models',
      'projector',
      'payments',
      'identity',
      'runtime',
    ]),
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
