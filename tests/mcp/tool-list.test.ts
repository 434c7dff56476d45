import { operations } from '../../generated/operations.ts';
import { tools } from '../../generated/tools.ts';
import { keys } from '../support/world.ts';
import { type Era, request, send, sendModern, withClient } from './mcp-support.ts';

const eras: Era[] = ['legacy', 'modern'];
type Operation = { cluster: string; absent: boolean; tool: string | null; companyId: boolean; method: string };
const all = Object.entries(operations as unknown as Record<string, Operation>);

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; properties: Record<string, any>; required: string[]; additionalProperties: boolean };
  annotations: Record<string, unknown>;
}

async function listTools(): Promise<Listed[]> {
  const { messages } = await send(JSON.stringify(request('tools/list')));
  return messages[0]!.result.tools as Listed[];
}

describe('tools/list', () => {
  test.each(eras)('a client of the %s era is given the same tools, in the order of their names', async (era) => {
    const { tools: listed } = await withClient(era, (client) => client.listTools());
    const names = listed.map(({ name }) => name);
    expect(listed).toEqual(await listTools());
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual([...tools.map(({ name }) => name), 'service_get_tool_help'].toSorted());
  });

  test('is within 20,000 bytes in either era, and so are its tools each within 2,500', async () => {
    const legacy = await send(JSON.stringify(request('tools/list')));
    const modern = await sendModern('tools/list', {});
    for (const { messages } of [legacy, modern])
      expect(Buffer.byteLength(JSON.stringify(messages[0]!.result))).toBeLessThanOrEqual(20_000);
    for (const tool of await listTools()) {
      expect({ name: tool.name, fits: Buffer.byteLength(JSON.stringify(tool)) <= 2_500 }).toEqual({
        name: tool.name,
        fits: true,
      });
    }
  });

  test('is the same for every key, and may be kept for minutes, but not shared', async () => {
    const lists = await Promise.all(
      (Object.keys(keys) as (keyof typeof keys)[]).slice(0, 9).map(async (key) => {
        const { messages } = await sendModern('tools/list', {}, { key });
        return messages[0]!.result;
      }),
    );
    for (const list of lists) expect(list).toEqual(lists[0]);
    expect(lists[0]).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private' });
    expect(lists[0].ttlMs).toBeGreaterThanOrEqual(60_000);
  });

  test('holds at most 25 tools, named service_… in snake case', async () => {
    const listed = await listTools();
    expect(listed.length).toBeLessThanOrEqual(25);
    for (const { name } of listed) expect(name).toMatch(/^service_[a-z]+(_[a-z]+)*$/);
    for (const { name } of listed) expect(name.length).toBeLessThanOrEqual(64);
    expect(new Set(listed.map(({ title }) => title)).size).toBe(listed.length);
  });

  test('every hint of a tool is given: it reads, destroys nothing, may be repeated and stays in the service', async () => {
    for (const { name, title, annotations } of await listTools())
      expect({ name, annotations }).toEqual({
        name,
        annotations: {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      });
  });

  test('every tool and argument is described, and takes nothing that is not', async () => {
    for (const { name, title, description, inputSchema } of await listTools()) {
      expect({ name, title, description }).toEqual({
        name,
        title: expect.stringMatching(/^[A-Z].{5,}[^.]$/),
        description: expect.stringMatching(/^[A-Z].{20,}\.$/s),
      });
      const { type, properties, required, additionalProperties } = inputSchema;
      expect({ name, type, additionalProperties }).toEqual({ name, type: 'object', additionalProperties: false });
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
      for (const [argument, schema] of Object.entries(properties))
        expect({ argument, schema }).toEqual({
          argument,
          schema: expect.objectContaining({ description: expect.stringMatching(/\.$/), type: expect.any(String) }),
        });
    }
  });

  test('no text is without bounds but an id of one thing, which is looked for only when it has the form of an id', async () => {
    const pathIds = new Set(Object.values(operations).flatMap((operation) => operation.pathIds as readonly string[]));
    const unbound = (await listTools()).flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties)
        .filter(([argument, schema]) => schema.type === 'string' && !schema.enum && !pathIds.has(argument))
        .filter(([, { maxLength, pattern, format }]) => !maxLength && !format && !/^\^.*\$$/.test(pattern ?? ''))
        .map(([argument]) => `${name} ${argument}`),
    );
    expect(unbound).toEqual([]);
  });

  test('a list takes limit and cursor, and what reads one company of several takes companyId', async () => {
    const listed = new Map((await listTools()).map((tool) => [tool.name, tool]));
    for (const { name, operations: behind } of tools) {
      const { properties } = listed.get(name)!.inputSchema;
      const isList = behind.some(({ rows }) => rows !== null);
      expect({ name, isList: 'limit' in properties && 'cursor' in properties }).toEqual({ name, isList });
      const companyId = behind.some(({ operationId }) => operations[operationId].companyId);
      expect({ name, companyId: 'companyId' in properties }).toEqual({ name, companyId });
    }
  });
});

describe('what the tools are made of', () => {
  test('every keyed operation that reads is behind a tool, and nothing else is', () => {
    const behind = tools.flatMap((tool) => tool.operations.map(({ operationId }) => operationId as string));
    const reads = all.filter(([, { cluster, absent }]) => cluster === 'read' && !absent).map(([id]) => id);
    expect(behind.toSorted()).toEqual(reads.toSorted());
    for (const operationId of behind) expect(operations[operationId as 'getGroup'].method).toBe('get');
  });

  test('siblings are told apart by one argument that has a value for each', () => {
    for (const { name, inputSchema, operations: behind } of tools) {
      if (behind.length === 1) continue;
      const { kind } = inputSchema.properties as unknown as { kind: { enum: string[] } };
      const selected = behind.map(({ select }) => (select as unknown as { kind: string }).kind);
      expect({ name, kinds: kind.enum.toSorted() }).toEqual({ name, kinds: selected.toSorted() });
      expect(inputSchema.required).toContain('kind');
    }
  });

  test('changing, inviting or removing admins, and deleting for good, are in no cluster at all', () => {
    const absent = all.filter(([, operation]) => operation.absent).map(([id]) => id);
    expect(absent).toEqual(
      expect.arrayContaining([
        'createAdmin',
        'updateAdmin',
        'deleteAdmin',
        'deleteAdmins',
        'resendAdminInvite',
        'deleteLearner',
        'deleteLearners',
        'deletePolicies',
        'deletePolicyTemplates',
      ]),
    );
  });
});

describe('initialize and server/discover', () => {
  test.each(eras)(
    'tell a client of the %s era that there are tools, which do not change, and nothing else',
    async (era) => {
      await withClient(era, async (client) => {
        expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
        expect(client.getServerVersion()).toMatchObject({ name: expect.any(String), version: expect.any(String) });
        expect(client.getInstructions()).toContain('service_get_tool_help');
      });
    },
  );

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'the version %s is spoken',
    async (protocolVersion) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } };
      const { messages } = await send(JSON.stringify(request('initialize', params)));
      expect(messages[0]!.result.protocolVersion).toBe(protocolVersion);
    },
  );
});
