import { type ContractDocument, type Webhook } from './document.ts';
import { fenced, firstExample, table } from './markdown-parts.ts';
import { listFields } from './schema-table.ts';

const DATA = 'data.';

/** Renders the page with every event type, its fields and an example. */
export function eventPage(document: ContractDocument): string {
  const webhooks = Object.entries(document.webhooks);
  return `# Event types

The ${webhooks.length} types of events that [\`GET /events\`](/docs/events) lists and [webhooks](/docs/webhooks) send. Each event has an
\`id\`, its \`type\`, the \`timestamp\` of the change, the \`companyId\` that it happened in, and \`data\`. More types, and more fields in
\`data\`, may be added.

${webhooks.map(([type, { post }]) => eventSection(document, type, post)).join('\n\n')}
`;
}

function eventSection(document: ContractDocument, type: string, { description, requestBody }: Webhook['post']): string {
  const media = requestBody.content['application/json']!;
  const rows = listFields(document, media.schema)
    .filter(({ name }) => name.startsWith(DATA))
    .map(({ name, type: kind, description: meaning }) => [`\`${name.slice(DATA.length)}\``, kind, meaning]);
  const example = fenced('json', JSON.stringify(firstExample(document, media), null, 2));
  return [`## ${type}`, description, table(['Field of data', 'Type', 'Meaning'], rows), example].join('\n\n');
}
