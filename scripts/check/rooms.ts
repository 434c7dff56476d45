/** A folder or file of src/, with a summary of its contents for CONTRIBUTING.md. */
export interface Room {
  path: string;
  knows: string;
}

/**
 * The rooms of src/ from top to bottom. A room can import only from the levels below its own; rooms of one level do not
 * import each other. `.dependency-cruiser.js` builds its rules from this list, and `make generate` the table in
 * CONTRIBUTING.md. `make check` rejects a file that is in no room.
 */
export const LEVELS: readonly (readonly Room[])[] = [
  [{ path: 'src/main.ts', knows: 'starts one process, or a supervisor of several' }],
  [{ path: 'src/server/', knows: 'a process: settings, pool, listening, draining; and the supervisor of several' }],
  [
    { path: 'src/app.ts', knows: 'composes what a process serves, by its roles' },
    { path: 'src/jobs/', knows: 'the worker: what is done outside of requests' },
    {
      path: 'src/commands/',
      knows: 'the commands that ship with the service: `migrate`, `keys`, `catalogue`, `simulations`',
    },
  ],
  [
    { path: 'src/rest/', knows: 'REST: authenticate, limit, read, validate, answer' },
    { path: 'src/mcp/', knows: 'AI clients: tools, their help and their answers' },
    { path: 'src/oauth/', knows: 'the authorization server that lets AI clients in' },
    { path: 'src/xapi/', knows: 'learning systems: statements of xAPI, as results of courses' },
    { path: 'src/scim/', knows: 'directories: SCIM 2.0, over users and groups' },
    { path: 'src/pages/setup/', knows: 'the page on which an invited admin finishes the setup' },
    { path: 'src/pages/learn/', knows: 'the pages of learners: sign-in, training, policies' },
    { path: 'src/pages/landing/', knows: 'where links of simulations lead: the lesson, and what is done there' },
    { path: 'src/pages/console/', knows: 'the pages of admins: what the company has, and its keys' },
    { path: 'src/pages/start/', knows: 'the first page, pages about failures for browsers, robots.txt, security.txt' },
    { path: 'src/docs/', knows: 'the documentation, made from `docs/` and the contract' },
  ],
  [
    {
      path: 'src/pages/shared/',
      knows: 'what pages of learners and of admins share: the sign-in, who is signed in, messages',
    },
    { path: 'src/released/', knows: 'the released versions of the contracts, and the running ones' },
  ],
  [
    {
      path: 'src/http/',
      knows:
        'what every transport needs of HTTP: context, guards; and bodies, responses, connections, rate limits and HTML, a folder each',
    },
  ],
  [{ path: 'src/operations/', knows: 'operationId to handler, and `invoke`: the one pipeline behind every transport' }],
  [
    { path: 'src/resources/reports/', knows: 'reports over what the other resources keep' },
    { path: 'src/resources/directory/', knows: 'learners and groups as the users and groups of a directory' },
  ],
  [
    { path: 'src/resources/admins/', knows: 'admins and their invitations' },
    { path: 'src/resources/api-keys/', knows: 'the keys of a company, and what each may' },
    { path: 'src/resources/audit-log/', knows: 'reads what the audit log says' },
    { path: 'src/resources/breaches/', knows: 'exposed accounts and breached services' },
    { path: 'src/resources/company/', knows: 'the company, its features, and child companies' },
    { path: 'src/resources/courses/', knows: 'courses: authored and packaged, enrolments, results, certificates' },
    { path: 'src/resources/events/', knows: 'the list of events' },
    { path: 'src/resources/groups/', knows: 'groups and their managers' },
    { path: 'src/resources/learners/', knows: 'learners' },
    {
      path: 'src/resources/policies/',
      knows: 'policies: templates, files, drafts and versions, assignments, signatures',
    },
    { path: 'src/resources/simulations/', knows: 'simulations: settings, templates, sending, and what recipients did' },
    { path: 'src/resources/sources/', knows: 'sources: systems that may record one kind of fact' },
    { path: 'src/resources/webhooks/', knows: 'endpoints that events are posted to, and posting them' },
  ],
  [
    {
      path: 'src/resources/learners/shared/',
      knows: 'what several resources do with learners: locks, pairs, memberships',
    },
    { path: 'src/resources/risk/', knows: 'the risk score and its history' },
  ],
  [
    {
      path: 'src/resources/events/log/',
      knows: 'the event log: who reads it, writing to it, reading it in the order of commits',
    },
    { path: 'src/resources/webhooks/sending/', knows: 'where webhooks may go, how they are signed, and sending one' },
    { path: 'src/mail/', knows: "messages: queueing them in a change's transaction, wording, sending" },
  ],
  [{ path: 'src/contract/', knows: 'the contract in types: inputs, answers, handlers' }],
  [
    {
      path: 'src/auth/',
      knows: 'API callers: keys, sources, scopes, and the only place that mints tenant handles for them',
    },
    { path: 'src/identity/', knows: 'people who sign in: links, sessions, passkeys' },
    { path: 'src/resources/breaches/feed/', knows: 'the upstream of breach data, and what is kept of its answers' },
  ],
  [{ path: 'src/audit/', knows: 'what the audit log is written of operations, sign-ins and reads of children' }],
  [{ path: 'src/auth/caller.ts', knows: 'who calls: a key, a source, a person, the service itself' }],
  [
    { path: 'src/db/', knows: 'pool, tenant handles, statements, cursors, expressions of several resources' },
    {
      path: 'src/resources/courses/authored/',
      knows: 'courses as people write them: reading, checking and rendering their files',
    },
    { path: 'src/pdf/', knows: 'inspects uploaded PDFs, in a process with bounds on time and memory' },
    {
      path: 'src/resources/courses/scorm/inspection/',
      knows: 'inspects uploaded packages of courses: ZIP files, their entries and manifests',
    },
  ],
  [
    {
      path: 'src/db/driver/',
      knows: 'the protocol of Postgres: pipelined lookups, batches, decoders, settings of a session',
    },
  ],
  [{ path: 'src/outbound/', knows: 'the one way out of the process: which addresses are connected to, and how' }],
  [
    {
      path: 'src/limits/',
      knows: 'bulkheads: slots that companies share fairly; and pollers, which give slots to due items',
    },
  ],
  [
    {
      path: 'src/observability/metrics/',
      knows: 'what is counted and watched, and the server that Prometheus scrapes',
    },
    { path: 'src/observability/tracing/', knows: 'spans; the SDK behind them is loaded only where traces are sent' },
  ],
  [{ path: 'src/observability/logger.ts', knows: 'the log, and what of an error may be in it' }],
  [
    { path: 'src/db/ids.ts', knows: 'ids: making them, and telling what is one' },
    { path: 'src/contract/person-operations.ts', knows: 'what people do on the pages, declared as operations' },
    { path: 'src/contract/errors.ts', knows: 'errors for clients, with code and status' },
    { path: 'src/net/', knows: 'IP addresses and networks: as proxies write them, and which are in which' },
    { path: 'src/contract/etags.ts', knows: 'what If-Match and If-None-Match name' },
    { path: 'src/contract/ajv.ts', knows: 'how schemas of the contract are compiled' },
    { path: 'src/contract/languages.ts', knows: 'the languages that the service speaks to people' },
  ],
  [
    { path: 'src/contract/error-codes.ts', knows: 'error codes: status, condition and remedy of each' },
    { path: 'src/config/', knows: 'the settings, read once and checked' },
  ],
];

/** Returns the paths of the files that are in no room. */
export function strayFiles(files: readonly string[]): string[] {
  const rooms = LEVELS.flat();
  return files.filter(
    (file) => !rooms.some(({ path }) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
  );
}

const BEGIN = '<!-- The table of rooms, written by `make generate` from scripts/check/rooms.ts. -->';
const END = '<!-- The end of the table of rooms. -->';

/** Returns the text of CONTRIBUTING.md with the current table of rooms. */
export function withTableOfRooms(contributing: string): string {
  const [begin, end] = [contributing.indexOf(BEGIN), contributing.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('CONTRIBUTING.md has no place for the table of rooms');
  const rows = LEVELS.flatMap((level, index) =>
    level.map(({ path, knows }) => `| ${index + 1} | \`${path}\` | ${knows} |`),
  );
  const table = ['| Level | Room | What it knows |', '| --- | --- | --- |', ...rows].join('\n');
  return `${contributing.slice(0, begin)}${BEGIN}\n\n${table}\n\n${contributing.slice(end)}`;
}
