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
  [{ path: 'src/server/', knows: 'one process: settings, pool, listening, draining; the supervisor of several' }],
  [
    { path: 'src/app.ts', knows: 'composes what a process serves, by its roles' },
    { path: 'src/jobs/', knows: 'the worker: jobs outside requests' },
    {
      path: 'src/commands/',
      knows: 'the commands that ship with the service: `migrate`, `keys`, `catalogue`, `simulations`, `mail-check`',
    },
  ],
  [{ path: 'src/pages/sso/', knows: 'the routes between this service and identity providers' }],
  [
    { path: 'src/rest/', knows: 'REST: authenticate, limit, read, validate, respond' },
    { path: 'src/mcp/', knows: 'AI clients: tools, their help and their results' },
    { path: 'src/oauth/', knows: 'the authorization server for AI clients' },
    { path: 'src/xapi/', knows: 'learning systems: xAPI statements, stored as course results' },
    { path: 'src/bounce-webhook/', knows: 'mail providers: reports of bounces, in their formats' },
    { path: 'src/scim/', knows: 'directories: SCIM 2.0 for users and groups' },
    { path: 'src/pages/setup/', knows: 'the page on which an invited admin finishes the setup' },
    { path: 'src/pages/learn/', knows: 'the pages of learners: sign-in, training, policies' },
    { path: 'src/pages/landing/', knows: 'landing pages of simulations: the message with its cues, and the lesson' },
    { path: 'src/pages/console/', knows: 'the pages of admins: the company, its data and its keys' },
    { path: 'src/pages/unsubscribe/', knows: 'the page on which a recipient of the board report unsubscribes' },
    { path: 'src/pages/report-button/', knows: 'the report button: its manifests, task pane and event handler' },
    { path: 'src/pages/start/', knows: 'the first page, pages about failures for browsers, robots.txt, security.txt' },
    { path: 'src/docs/', knows: 'the documentation, rendered from `docs/` and the contract' },
  ],
  [
    {
      path: 'src/pages/shared/',
      knows: 'sign-in, sessions and messages, shared by the pages of learners and admins',
    },
    { path: 'src/released/', knows: 'the released versions of the contracts, and the running ones' },
  ],
  [
    {
      path: 'src/http/',
      knows:
        'HTTP for every transport: context and guards; folders for bodies, responses, connections, rate limits and HTML',
    },
  ],
  [{ path: 'src/operations/', knows: 'operationId to handler, and `invoke`: the one pipeline behind every transport' }],
  [{ path: 'src/resources/board-report/', knows: 'the report for the board: a PDF compiled from other reports' }],
  [
    { path: 'src/resources/campaigns/', knows: 'campaigns: audiences, assignments, due dates' },
    { path: 'src/resources/corrections/', knows: 'corrections of recorded facts: voids, replacements, restorations' },
    {
      path: 'src/resources/mail-bounces/',
      knows: 'bounces of messages: the mailbox, reports, the status of addresses',
    },
    { path: 'src/resources/report-button/', knows: 'the report button of mail programs: its setting and its reports' },
    { path: 'src/resources/learner-merges/', knows: 'merges of two records of one person, and undoing them' },
    { path: 'src/resources/identity-providers/', knows: 'the settings of identity providers' },
    { path: 'src/resources/reports/', knows: 'reports over the other resources' },
    { path: 'src/resources/directory/', knows: 'learners and groups as users and groups of a directory' },
  ],
  [
    { path: 'src/resources/admins/', knows: 'admins and their invitations' },
    { path: 'src/resources/roles/', knows: 'the roles of admins that companies create' },
    { path: 'src/resources/api-keys/', knows: 'the keys of a company and their permissions' },
    { path: 'src/resources/audit-log/', knows: 'reads of the audit log' },
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
    { path: 'src/resources/simulations/', knows: 'simulations: settings, templates, sending, results of recipients' },
    { path: 'src/resources/sources/', knows: 'sources: systems that record one kind of fact' },
    { path: 'src/resources/webhooks/', knows: 'endpoints for events, and their deliveries' },
  ],
  [
    {
      path: 'src/resources/learners/shared/',
      knows: 'learners in several resources: locks, pairs, memberships',
    },
    { path: 'src/resources/risk/', knows: 'the risk score and its history' },
  ],
  [
    {
      path: 'src/resources/events/log/',
      knows: 'the event log: its readers, writes, and reads in commit order',
    },
    { path: 'src/resources/webhooks/sending/', knows: 'webhooks: allowed addresses, signatures, sending one' },
    {
      path: 'src/mail/',
      knows: "messages: folders for queueing in a change's transaction, content, sending, mailboxes",
    },
  ],
  [{ path: 'src/contract/', knows: 'the contract as types: inputs, results, handlers' }],
  [
    {
      path: 'src/auth/',
      knows: 'API callers: keys, sources, scopes; the only code that creates their tenant handles',
    },
    { path: 'src/identity/', knows: 'people who sign in: links, sessions, passkeys, identity providers' },
    { path: 'src/resources/breaches/feed/', knows: 'the upstream breach feed and its stored responses' },
  ],
  [{ path: 'src/audit/', knows: 'audit records of operations, sign-ins and reads of children' }],
  [{ path: 'src/auth/roles.ts', knows: 'the roles of admins, and the scopes of each' }],
  [{ path: 'src/auth/caller.ts', knows: 'the caller: a key, a source, a person or the service itself' }],
  [
    { path: 'src/db/', knows: 'pool, tenant handles, statements, cursors, shared expressions' },
    {
      path: 'src/resources/courses/authored/',
      knows: 'authored courses: reads, checks and renders their files',
    },
    { path: 'src/pdf/', knows: 'inspects uploaded PDFs, in a process with limits on time and memory' },
    {
      path: 'src/resources/courses/scorm/inspection/',
      knows: 'inspects uploaded course packages: ZIP files, their entries and manifests',
    },
  ],
  [
    {
      path: 'src/db/driver/',
      knows: 'the Postgres protocol: pipelined lookups, batches, decoders, session settings',
    },
  ],
  [
    { path: 'src/outbound/', knows: 'the only outgoing connections: allowed addresses and how they are connected' },
    { path: 'src/auth/sealed-secrets.ts', knows: 'encryption of secrets that the service must be able to read' },
  ],
  [
    {
      path: 'src/limits/',
      knows: 'bulkheads: slots that companies share fairly; pollers; programs with limits on time and memory',
    },
  ],
  [
    {
      path: 'src/observability/metrics/',
      knows: 'metrics, and the server that Prometheus scrapes',
    },
    { path: 'src/observability/tracing/', knows: 'spans; loads the SDK only if traces are sent' },
  ],
  [{ path: 'src/observability/logger.ts', knows: 'the log, and the parts of an error that it can contain' }],
  [
    { path: 'src/db/ids.ts', knows: 'ids: generating and validating them' },
    { path: 'src/contract/person-operations.ts', knows: 'operations of people on the pages' },
    { path: 'src/contract/errors.ts', knows: 'errors for clients, with code and status' },
    { path: 'src/net/', knows: 'IP addresses and networks: parses the forms of proxies, checks membership' },
    { path: 'src/contract/etags.ts', knows: 'ETags in If-Match and If-None-Match' },
    { path: 'src/contract/ajv.ts', knows: 'compiles schemas of the contract' },
    { path: 'src/contract/validation-messages.ts', knows: 'validation messages as clients read them' },
    { path: 'src/contract/languages.ts', knows: 'the languages of pages and messages' },
    { path: 'src/contract/geography.ts', knows: 'countries and time zones: validates and normalises them' },
    { path: 'src/contract/calendar-dates.ts', knows: 'calendar dates: validates and normalises them' },
  ],
  [
    { path: 'src/contract/error-codes.ts', knows: 'error codes: status, condition and remedy of each' },
    { path: 'src/config/', knows: 'the settings, read and checked once' },
  ],
  [{ path: 'src/contract/specific-error-codes.ts', knows: 'error codes for single conditions' }],
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
  if (begin < 0 || end < begin) throw new Error('CONTRIBUTING.md has no markers for the table of rooms');
  const rows = LEVELS.flatMap((level, index) =>
    level.map(({ path, knows }) => `| ${index + 1} | \`${path}\` | ${knows} |`),
  );
  const table = ['| Level | Room | Contents |', '| --- | --- | --- |', ...rows].join('\n');
  return `${contributing.slice(0, begin)}${BEGIN}\n\n${table}\n\n${contributing.slice(end)}`;
}
