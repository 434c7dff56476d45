/** A hand-written page, and its file. */
export interface WrittenPage {
  path: string;
  file: string;
  /** Name in lists of pages. */
  name: string;
}

const guide = (slug: string, name: string): WrittenPage => ({
  path: `/docs/${slug}`,
  file: `docs/guides/${slug}.md`,
  name,
});

export const OVERVIEW: WrittenPage = { path: '/docs', file: 'docs/guides/overview.md', name: 'Overview' };

export const CHANGELOG: WrittenPage = { path: '/docs/changelog', file: 'CHANGELOG.md', name: 'Changelog' };

/** The guides, in reading order. */
export const GUIDES: readonly WrittenPage[] = [
  OVERVIEW,
  guide('authentication', 'Authentication'),
  guide('tenancy', 'Tenancy for MSPs'),
  guide('errors', 'Errors and retries'),
  guide('limits', 'Limits'),
  guide('bulk', 'Bulk operations'),
  guide('events', 'Events'),
  guide('changes-since', 'Changes since'),
  guide('hr', 'In step with HR'),
  guide('lms', 'Bring your LMS'),
  guide('directories', 'Entra ID, Okta and other directories'),
  guide('single-sign-on', 'Sign in with your identity provider'),
  guide('xapi', 'Moodle and xAPI'),
  guide('phishing-engine', 'Bring your phishing engine'),
  guide('campaigns', 'Run campaigns'),
  guide('running-simulations', 'Run phishing simulations'),
  guide('report-button', 'Deploy the report button'),
  guide('webhooks', 'Webhooks'),
  guide('large-tenants', 'Large tenants'),
  guide('mcp', 'AI clients (MCP)'),
  guide('versioning', 'Versioning and deprecation'),
  guide('installing', 'Installing'),
  guide('deploying', 'Deploying'),
  guide('operating', 'Operating'),
  guide('people', 'Pages for people'),
  guide('writing-courses', 'Writing courses'),
  guide('scorm-packages', 'SCORM packages'),
  guide('citus', 'More than one database machine'),
];

export const BACKGROUND: readonly WrittenPage[] = [
  { path: '/docs/risk-score', file: 'docs/risk-score.md', name: 'The risk score' },
  { path: '/docs/simulations', file: 'docs/simulations.md', name: 'Simulations and data protection' },
  { path: '/docs/deletion', file: 'docs/deletion.md', name: 'Deletion' },
  { path: '/docs/monitoring', file: 'docs/monitoring.md', name: 'Monitoring' },
  { path: '/docs/oauth', file: 'docs/oauth.md', name: 'OAuth for AI clients' },
  { path: '/docs/asvs', file: 'docs/asvs.md', name: 'Security requirements (ASVS)' },
  CHANGELOG,
];

export const REFERENCE = { path: '/docs/reference', name: 'Interactive reference' } as const;
export const OPERATIONS = { path: '/docs/operations', name: 'Operations' } as const;
export const EVENT_TYPES = { path: '/docs/event-types', name: 'Event types' } as const;
export const ERROR_CODES = { path: '/docs/error-codes', name: 'Error codes' } as const;
export const SCHEMAS = { path: '/docs/schemas', name: 'Schemas' } as const;
export const SEARCH = { path: '/docs/search', name: 'Search' } as const;
/** The search index, as JSON. */
export const SEARCH_INDEX = '/docs/search.json';
export const CHANGES = { path: '/docs/changes', name: 'Contract versions' } as const;
/** The Atom feed of released contracts. */
export const CHANGES_FEED = { path: '/docs/changes.atom', name: 'Contract releases' } as const;

/** The navigation of every page. Pages of single operations are linked from their list. */
export const NAVIGATION: readonly { title: string; entries: readonly { path: string; name: string }[] }[] = [
  { title: 'Guides', entries: GUIDES },
  {
    title: 'Reference',
    entries: [
      REFERENCE,
      OPERATIONS,
      ERROR_CODES,
      EVENT_TYPES,
      SCHEMAS,
      CHANGES,
      { path: '/v1/openapi.json', name: 'OpenAPI (JSON)' },
      { path: '/v1/openapi.yaml', name: 'OpenAPI (YAML)' },
    ],
  },
  { title: 'Background', entries: BACKGROUND },
  { title: 'For models', entries: [{ path: '/llms.txt', name: 'llms.txt' }] },
];
