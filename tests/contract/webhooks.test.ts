/** @jest-environment node */
import { readFileSync } from 'node:fs';

interface Operation {
  tags: string[];
  summary: string;
  requestBody: { content: { 'application/json': { schema: { $ref: string } } } };
}
interface Schema {
  'x-extensible-enum'?: string[];
  enum?: string[];
  required: string[];
  properties: Record<string, { const?: string }>;
}

const { paths, webhooks, components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
};
const types = Object.keys(webhooks);

test('every event type has a webhook and can be subscribed to', () => {
  expect(components.schemas.EventType!['x-extensible-enum']).toEqual(types);
  expect(components.schemas.EventTypeFilter!.enum).toEqual(types);
});

test("each webhook sends an event whose type is the webhook's name", () => {
  for (const [name, { post }] of Object.entries(webhooks)) {
    const schema = components.schemas[post.requestBody.content['application/json'].schema.$ref.split('/').pop()!]!;
    expect({ name, summary: post.summary, type: schema.properties.type!.const }).toEqual({
      ...{ name, summary: name, type: name },
    });
    expect(Object.keys(schema.properties)).toEqual(Object.keys(components.schemas.Event!.properties));
    expect(schema.required).toEqual(components.schemas.Event!.required);
  }
});

test('every event type is emitted by the database, or by the file that changes the resource', () => {
  const schema = readFileSync('generated/schema.sql', 'utf8');
  const sources: Partial<Record<string, string>> = {
    'record.corrected': 'src/resources/corrections/corrections.ts',
    'learner.merged': 'src/resources/learner-merges/merge-learners.ts',
    'learner.unmerged': 'src/resources/learner-merges/undo-merge.ts',
    'admin.new_network': 'src/identity/sign-in-log.ts',
  };
  const notices = readFileSync('src/mail/outbox/notice-events.ts', 'utf8');
  const composed = /^(group\.(member|manager)|simulation\.message)\.|^simulation\.(completed|cancelled)$/;
  const written = types.filter((type) => {
    const source = sources[type] ? readFileSync(sources[type], 'utf8') : schema + notices;
    return source.includes(`'${type}'`) || composed.test(type);
  });
  expect(written).toEqual(types);
});

test('webhooks and operations share no tag, because openapi-generator would overwrite a class', () => {
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)),
  );
  expect(Object.values(webhooks).flatMap(({ post }) => post.tags.filter((tag) => tags.has(tag)))).toEqual([]);
});
