import { operations } from '../../generated/operations.ts';
import { tools } from '../../generated/tools.ts';
import { call, refusal, request, send } from './mcp-support.ts';

const HELP = 'service_get_tool_help';
const PLAYBOOKS = [
  ...['monthly-report', 'after-a-simulation', 'unfinished-training'],
  ...['people-at-risk', 'unsigned-policy', 'overdue', 'new-breach', 'review-clients'],
];
const toolNames = [HELP, ...tools.map(({ name }) => name)];
const topics = [
  'overview',
  'clusters',
  'safety',
  'playbooks',
  ...PLAYBOOKS.map((name) => `playbook:${name}`),
  ...toolNames.map((name) => `tool:${name}`),
];
type Operation = { cluster: string; absent: boolean; mails: string | null };
const operationEntries = Object.entries(operations as unknown as Record<string, Operation>);

async function help(topic?: string): Promise<string> {
  const { isError, text } = await call(HELP, topic === undefined ? undefined : { topic });
  expect(isError).toBe(false);
  return text;
}

/** Arguments of each tool, with their enum values. */
const argumentsOf = new Map(
  tools.map(({ name, inputSchema }) => [name as string, inputSchema.properties as Record<string, { enum?: string[] }>]),
);

describe('service_get_tool_help', () => {
  test('returns the overview without a topic, and the overview names every other topic', async () => {
    const overview = await help();
    expect(overview).toBe(await help('overview'));
    for (const topic of topics.filter((name) => !/^(overview|tool:)/.test(name))) expect(overview).toContain(topic);
    expect(overview).toContain('tool:<name>');
  });

  test.each(topics)('the text of %s has at most 3,000 bytes', async (topic) => {
    const text = await help(topic);
    expect(text.length).toBeGreaterThan(100);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
    expect(text).not.toMatch(/undefined|\[object|null\b/);
  });

  test.each(topics)('every tool and operation that %s names exists', async (topic) => {
    const text = await help(topic);
    const named = text.match(/\bservice_\w+/g) ?? [];
    expect(named.filter((name) => !toolNames.includes(name))).toEqual([]);
    const camelCase = text.match(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g) ?? [];
    const known = new Set([
      ...operationEntries.map(([operationId]) => operationId),
      ...tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties)),
      ...[...argumentsOf.values()].flatMap((properties) => Object.values(properties).flatMap((one) => one.enum ?? [])),
      // Fields of responses.
      ...['nextCursor', 'totalMetrics', 'learnerCount', 'enrollDate', 'groupIds', 'assignedCount', 'signedCount'],
      ...['mailFailedAt', 'includeSignatures'],
    ]);
    expect(camelCase.filter((word) => !known.has(word))).toEqual([]);
    const referred = text.match(/\b(?:playbook|tool):[\w-]+/g) ?? [];
    expect(referred.filter((name) => !topics.includes(name))).toEqual([]);
  });

  test('the kinds, filters and values that a topic names exist', async () => {
    for (const topic of topics) {
      for (const [, tool, words] of (await help(topic)).matchAll(/(service_\w+)((?:(?!service_)[^;.])*)/g)) {
        const properties = argumentsOf.get(tool!) ?? {};
        for (const [, kind] of words!.matchAll(/\bkind (\w+_\w+|learning|breaches)/g))
          expect({ topic, tool, kinds: properties.kind?.enum }).toEqual({
            topic,
            tool,
            kinds: expect.arrayContaining([kind]),
          });
        for (const [, name, value] of words!.matchAll(
          /\b(accountType|hasAffectedAccounts|outcome|status|limit) (\w+)/g,
        )) {
          expect({ topic, tool, names: Object.keys(properties) }).toEqual({
            topic,
            tool,
            names: expect.arrayContaining([name]),
          });
          const allowed = properties[name!]!.enum;
          if (allowed) expect(allowed).toContain(value);
        }
      }
    }
  });

  test('clusters lists the operations of each cluster in its own line', async () => {
    const lines = (await help('clusters')).split('\n');
    const ofLine = (start: string) =>
      lines
        .find((line) => line.startsWith(start))!
        .replace(/^.*?: /, '')
        .replace(/\.$/, '')
        .replaceAll(/ \(mails people[\w ]*\)/g, '')
        .split(', ');
    expect(ofLine('read (enabled)')).toEqual(toolNames.toSorted());
    for (const cluster of ['write', 'reminder', 'destructive']) {
      const documented = operationEntries.filter(([, one]) => one.cluster === cluster && !one.absent);
      expect(ofLine(cluster)).toEqual(documented.map(([operationId]) => operationId));
      expect(documented.length).toBeGreaterThan(2);
    }
  });

  test('operations that mail people are marked in every cluster, as in the contract', async () => {
    const text = await help('clusters');
    const marked = [...text.matchAll(/(\w+) \((mails people[\w ]*)\)/g)].map(([, operationId, mark]) => [
      operationId,
      mark,
    ]);
    expect(marked.filter(([operationId]) => operationId !== 'marked')).toEqual([
      ['createCourseEnrollments', 'mails people'],
      ['createGapAnalysisEnrollments', 'mails people'],
      ['updatePolicy', 'mails people with resend'],
      ['publishPolicyDraft', 'mails people with resend'],
      ['createPolicyAssignments', 'mails people'],
      ['sendCourseReminders', 'mails people'],
      ['sendGapAnalysisReminders', 'mails people'],
      ['sendPolicyReminders', 'mails people'],
    ]);
    for (const [operationId, { mails, absent }] of operationEntries)
      if (mails && !absent) expect(text).toContain(`${operationId} (mails people`);
  });

  test('operations that are never tools are only described, not named', async () => {
    const text = await help('clusters');
    for (const [operationId] of operationEntries.filter(([, { absent }]) => absent))
      expect(text).not.toMatch(new RegExp(`\\b${operationId}\\b`));
    for (const word of [/creating/, /updating/, /re-inviting/, /admins/, /deleting learners/, /policy templates/])
      expect(text).toMatch(word);
  });

  test('says that changes are not enabled, and where to make them', async () => {
    expect(await help('clusters')).toMatch(/not enabled/);
    expect(await help('safety')).toMatch(/console/);
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s is explained with each of its arguments',
    async (name, tool) => {
      const text = await help(`tool:${name}`);
      for (const [argument, schema] of Object.entries(tool.inputSchema.properties)) {
        expect(text).toContain(
          `- ${argument}${(tool.inputSchema.required as readonly string[]).includes(argument) ? ' (required)' : ''}: `,
        );
        for (const value of (schema as { enum?: string[] }).enum ?? []) expect(text).toContain(value);
      }
    },
  );

  test.each([
    '',
    ' ',
    'Overview',
    'tool:',
    'tool:service_delete_learner',
    'playbook:',
    'playbook:__proto__',
    'constructor',
    'tool:toString',
  ])('the topic "%s" is rejected with the list of topics', async (topic) => {
    const text = await refusal(HELP, { topic });
    for (const known of topics.filter((name) => !name.startsWith('tool:'))) expect(text).toContain(known);
  });

  test.each([[null], [5], [['overview']], [{}], [true]])('the topic %j is rejected', async (topic) => {
    expect(await refusal(HELP, { topic })).toContain('topic');
  });

  test('another argument is rejected by its name, which is shortened if long', async () => {
    expect(await refusal(HELP, { topic: 'safety', companyId: 'x' })).toContain('companyId');
    expect((await refusal(HELP, { ['x'.repeat(60_000)]: 1 })).length).toBeLessThan(1000);
    expect((await refusal(HELP, { topic: 'x'.repeat(60_000) })).length).toBeLessThan(1000);
  });

  test('only read tools are registered, even though the help documents others', async () => {
    const guesses = operationEntries
      .filter(([, { cluster }]) => cluster !== 'read')
      .map(([operationId]) => operationId)
      .flatMap((id) => [id, `service_${id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`]);
    const calls = guesses.map((name, id) => request('tools/call', { name, arguments: {} }, id));
    const batches = Array.from({ length: Math.ceil(calls.length / 100) }, (_, n) =>
      calls.slice(n * 100, n * 100 + 100),
    );
    const answers = await Promise.all(batches.map((batch) => send(JSON.stringify(batch))));
    const messages = answers.flatMap((answer) => answer.messages);
    expect(messages).toHaveLength(guesses.length);
    for (const { error } of messages) {
      expect(error).toMatchObject({ code: -32602 });
      expect(error!.message).toContain('tools/list');
    }
  });
});
