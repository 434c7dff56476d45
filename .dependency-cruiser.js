/** The rooms of src/ and the direction of the arrows between them. */
const room = (name) => `^src/${name}`;

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'only-doors-and-app-know-express',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http/|mcp/|roles/|app\\.ts)' },
      to: { path: 'node_modules/(express|express-|cors|helmet|multer)' },
    },
    {
      name: 'only-auth-mints-tenant-handles',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/auth/' },
      to: { path: '^src/db/tenant-session\\.ts$' },
    },
    {
      name: 'only-db-and-auth-touch-the-pool',
      severity: 'error',
      from: { path: '^src/(resources|http|mcp)/|^src/(operations|invoke)\\.ts$' },
      to: { path: '^src/db/pool\\.ts$|^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'foundations-know-nothing-above',
      severity: 'error',
      from: {
        path: '^src/(db|metrics|telemetry|pdf|body-text|errors|bulkhead|ids|languages|page|config|logger)',
      },
      to: { path: '^src/(auth|http|mail|jobs|mcp|resources|operations|invoke|roles|app|main)' },
    },
    {
      name: 'auth-knows-only-foundations',
      severity: 'error',
      from: { path: room('auth/') },
      to: { path: '^src/(http|mail|jobs|mcp|resources|operations|invoke|roles|app|main)' },
    },
    {
      name: 'resources-do-not-look-up',
      severity: 'error',
      from: { path: room('resources/') },
      to: { path: '^src/(http|mcp|jobs|operations|invoke|roles|app|main)|^src/auth/(?!caller|setup-)' },
    },
    {
      name: 'documents-know-no-other-resource',
      severity: 'error',
      from: { path: room('resources/documents/') },
      to: { path: room('resources/(?!documents/)') },
    },
    {
      name: 'policies-and-templates-meet-in-documents',
      severity: 'error',
      from: { path: room('resources/(policies|policy-templates)/') },
      to: { path: room('resources/(policies|policy-templates)/'), pathNot: room('resources/$1/') },
    },
    {
      name: 'the-breach-feed-does-not-look-up',
      severity: 'error',
      from: { path: room('breach-feed/') },
      to: { path: '^src/(auth|http|mail|jobs|mcp|resources|operations|invoke|roles|app|main)' },
    },
    {
      name: 'the-post-does-not-look-up',
      severity: 'error',
      from: { path: room('mail/') },
      to: { path: '^src/(http|jobs|mcp|resources|operations|invoke|roles|app|main)' },
    },
    {
      name: 'jobs-are-no-door',
      severity: 'error',
      from: { path: room('jobs/') },
      to: { path: '^src/(http|mcp|operations|invoke|roles|app|main)' },
    },
    {
      name: 'doors-do-not-run-jobs',
      severity: 'error',
      from: { path: '^src/(http|mcp|operations|invoke|roles|app)' },
      to: { path: room('jobs/') },
    },
    {
      name: 'the-documentation-knows-the-contract-alone',
      severity: 'error',
      from: { path: room('docs/') },
      to: { path: '^src/(?!docs/)' },
    },
    {
      name: 'only-http-and-main-know-the-documentation',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(docs|http|roles)/|^src/(app|main)\\.ts$' },
      to: { path: room('docs/') },
    },
    {
      name: 'commands-know-only-foundations-and-auth',
      severity: 'error',
      from: { path: room('commands/') },
      to: { path: '^src/(?!commands/|db/|auth/|config\\.ts)' },
    },
    {
      name: 'nothing-in-the-service-knows-commands',
      severity: 'error',
      from: { path: '^(src|migrations)/', pathNot: room('commands/') },
      to: { path: room('commands/') },
    },
    {
      name: 'only-the-metrics-know-their-library',
      severity: 'error',
      from: { path: '^src/', pathNot: room('metrics/') },
      to: { path: 'node_modules/prom-client' },
    },
    {
      name: 'the-tracing-sdk-is-loaded-only-where-traces-are-sent',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/telemetry/(open-telemetry|report-failures|sampler)\\.ts$' },
      to: {
        path: '^src/telemetry/(open-telemetry|report-failures|sampler)|node_modules/@opentelemetry',
        dynamic: false,
      },
    },
    {
      name: 'handlers-never-call-handlers',
      severity: 'error',
      from: { path: '-handlers\\.ts$' },
      to: { path: '-handlers\\.ts$' },
    },
    {
      name: 'doors-do-not-know-each-other',
      severity: 'error',
      from: { path: room('http/') },
      to: { path: room('mcp/') },
    },
    {
      name: 'doors-do-not-know-each-other-back',
      severity: 'error',
      from: { path: room('mcp/') },
      to: { path: room('http/') },
    },
    {
      name: 'the-service-needs-no-tools',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^(scripts|tests|seeds)/', dependencyTypesNot: [] },
    },
    {
      name: 'the-service-has-its-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
