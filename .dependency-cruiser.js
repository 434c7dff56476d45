import { LEVELS } from './scripts/check/rooms.ts';

const escaped = (path) => path.replaceAll('.', '\\.');
const anyOf = (rooms) => `^(${rooms.map(({ path }) => escaped(path)).join('|')})`;
const room = (name) => `^src/${name}`;

/** Rules that let a room import only from the levels below its own, not from levels above or from its neighbours. */
const downOnly = LEVELS.flatMap((level, index) =>
  level.flatMap((from) => {
    const others = [...LEVELS.slice(0, index).flat(), ...level.filter((one) => one !== from)];
    const isNested = ({ path }) => [from, ...others].some((one) => path.startsWith(one.path));
    const below = LEVELS.slice(index + 1)
      .flat()
      .filter(isNested);
    const to = { path: anyOf(others), pathNot: anyOf([from, ...below]) };
    const own = { path: `^${escaped(from.path)}`, ...(below.length > 0 && { pathNot: anyOf(below) }) };
    return others.length === 0 ? [] : [{ name: `${from.path} looks down`, severity: 'error', from: own, to }];
  }),
);

export default {
  forbidden: [
    ...downOnly,
    {
      name: 'every-file-stands-in-a-room',
      severity: 'error',
      from: { path: '^src/', pathNot: anyOf(LEVELS.flat()) },
      to: {},
    },
    {
      name: 'every-file-that-is-imported-stands-in-a-room',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: anyOf(LEVELS.flat()) },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'only-transports-pages-and-app-know-express',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(http/|pages/|rest/|mcp/|oauth/|scim/|xapi/|bounce-webhook/|docs/|app\\.ts)',
      },
      to: { path: 'node_modules/(express|express-|cors|helmet|multer)' },
    },
    {
      name: 'only-db-knows-its-driver',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/db/' },
      to: { path: '^src/db/driver/' },
    },
    {
      name: 'only-auth-mints-tenant-handles',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(auth/|identity/|resources/(board-report/schedules/board-unsubscriptions|courses/scorm/package-visits|report-button/report-buttons|simulations/events/simulation-links)\\.ts$)',
      },
      to: { path: '^src/db/tenant-session\\.ts$' },
    },
    {
      name: 'only-db-and-auth-touch-the-pool',
      severity: 'error',
      from: { path: '^src/(resources|http|rest|mcp|oauth|scim|xapi|bounce-webhook|docs|pages|operations)/' },
      to: { path: '^src/db/pool\\.ts$|^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-call-operations',
      severity: 'error',
      from: { path: '^src/pages/' },
      to: { path: '^src/resources/' },
    },
    {
      name: 'resources-get-no-keys',
      severity: 'error',
      from: { path: room('resources/'), pathNot: room('resources/api-keys/') },
      to: {
        path: '^src/(auth/(?!caller|roles|source-secret|sealed-)|identity/(?!session-repository|setup-token|person-token|unauthenticated-|saml/|providers/sign-in-fault))',
      },
    },
    {
      name: 'keys-are-made-and-not-looked-up',
      severity: 'error',
      from: { path: room('resources/api-keys/') },
      to: { path: '^src/auth/(?!caller|roles|api-key)' },
    },
    {
      name: 'the-documentation-knows-the-contract-alone',
      severity: 'error',
      from: { path: room('docs/'), pathNot: room('docs/(docs|changes/changes|search/search)-routes\\.ts$') },
      to: {
        path: '^src/(?!docs/|released/|contract/(specific-)?error-codes\\.ts$|(http/(html/assets|once)|limits/run-in-thread)\\.ts$)',
      },
    },
    {
      name: 'only-the-metrics-know-their-library',
      severity: 'error',
      from: { path: '^src/', pathNot: room('observability/metrics/') },
      to: { path: 'node_modules/@prometheus-io/client' },
    },
    {
      name: 'the-tracing-sdk-is-loaded-only-where-traces-are-sent',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/observability/tracing/(open-telemetry|report-failures)\\.ts$' },
      to: {
        path: '^src/observability/tracing/(open-telemetry|report-failures)|node_modules/@opentelemetry',
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
