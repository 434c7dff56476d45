import type { GateConfig } from './contract-gate/src/project.ts';
import { accessRules } from './src/released/access-rules.ts';
import { contractNames, publishedTools } from './scripts/generate/published-names.ts';

/** All surfaces that this service publishes. Events and webhooks are in the `webhooks` of the REST contract. */
export default {
  surfaces: [
    { name: 'rest', file: 'generated/openapi.json', changelogName: 'Contract' },
    { name: 'scim', file: 'generated/scim.json', changelogName: 'SCIM contract' },
    {
      name: 'tools',
      file: 'generated/tools.json',
      kind: 'tools',
      versionOf: 'rest',
      derive: (released) => publishedTools(released.get('rest')!),
    },
    {
      name: 'sdk',
      file: 'generated/sdk-names.json',
      kind: 'names',
      versionOf: 'rest',
      derive: (released) => contractNames(released.get('rest')!),
    },
  ],
  rules: [accessRules],
} satisfies GateConfig;
