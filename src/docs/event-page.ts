import { type ContractDocument, type Webhook } from './document.ts';
import { fenced, firstExample, table } from './markdown-parts.ts';
import { listFields } from './schema-table.ts';

const DATA = 'data.';

/** Renders the page with every event type, its fields and an example. */
export function eventPage(document: ContractDocument): string {
  const webhooks = Object.entries(document.webhooks);
  return `# Event types

[\`GET /events\`](/docs/events) lists ${webhooks.length} types of events, and [webhooks](/docs/webhooks) send them. Each event has an \`id\`,
a \`type\`, the \`timestamp\` of the change, the \`companyId\` of its company, and \`data\`. New versions can add types, and fields
to \`data\`.

${webhooks.map(([type, { post }]) => eventSection(document, type, post)).join('\n\n')}
`;
}

function eventSection(document: ContractDocument, type: string, { description, requestBody }: Webhook['post']): string {
  const media = requestBody.content['application/json']!;
  const rows = listFields(document, media.schema)
    .filter(({ name }) => name.startsWith(DATA))
    .map(({ name, type: kind, description: meaning }) => [`\`${name.slice(DATA.length)}\``, kind, meaning]);
  const example = fenced('json', JSON.stringify(firstExample(document, media), null, 2));
  return [`## ${type}`, description, table(['Field of data', 'Type', 'Description'], rows), example].join('\n\n');
}
