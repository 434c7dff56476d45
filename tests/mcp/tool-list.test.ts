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
  test.each(eras)('a client of the %s era gets the same tools, ordered by name', async (era) => {
    const { tools: listed } = await withClient(era, (client) => client.listTools());
    const names = listed.map(({ name }) => name);
    expect(listed).toEqual(await listTools());
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual([...tools.map(({ name }) => name), 'service_get_tool_help'].toSorted());
  });

  test('has at most 20,000 bytes in either era, and each tool at most 2,500', async () => {
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

  test('is the same for every key, and can be cached privately for minutes', async () => {
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

  test('has at most 25 tools, named service_… in snake case', async () => {
    const listed = await listTools();
    expect(listed.length).toBeLessThanOrEqual(25);
    for (const { name } of listed) expect(name).toMatch(/^service_[a-z]+(_[a-z]+)*$/);
    for (const { name } of listed) expect(name.length).toBeLessThanOrEqual(64);
    expect(new Set(listed.map(({ title }) => title)).size).toBe(listed.length);
  });

  test('every tool has all hints: read-only, not destructive, idempotent and closed-world', async () => {
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

  test('every tool and argument is described, and other arguments are not allowed', async () => {
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

  test('every string argument is bounded, except the id of a single object', async () => {
    const pathIds = new Set(Object.values(operations).flatMap((operation) => operation.pathIds as readonly string[]));
    const unbound = (await listTools()).flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties)
        .filter(([argument, schema]) => schema.type === 'string' && !schema.enum && !pathIds.has(argument))
        .filter(([, { maxLength, pattern, format }]) => !maxLength && !format && !/^\^.*\$$/.test(pattern ?? ''))
        .map(([argument]) => `${name} ${argument}`),
    );
    expect(unbound).toEqual([]);
  });

  test('lists take limit and cursor, and reads of one company among several take companyId', async () => {
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

describe('the operations of the tools', () => {
  test('are all keyed reads and nothing else', () => {
    const behind = tools.flatMap((tool) => tool.operations.map(({ operationId }) => operationId as string));
    const reads = all.filter(([, { cluster, absent }]) => cluster === 'read' && !absent).map(([id]) => id);
    expect(behind.toSorted()).toEqual(reads.toSorted());
    for (const operationId of behind) expect(operations[operationId as 'getGroup'].method).toBe('get');
  });

  test('are selected by kind if a tool has several', () => {
    for (const { name, inputSchema, operations: behind } of tools) {
      if (behind.length === 1) continue;
      const { kind } = inputSchema.properties as unknown as { kind: { enum: string[] } };
      const selected = behind.map(({ select }) => (select as unknown as { kind: string }).kind);
      expect({ name, kinds: kind.enum.toSorted() }).toEqual({ name, kinds: selected.toSorted() });
      expect(inputSchema.required).toContain('kind');
    }
  });

  test('exclude changes to admins and permanent deletions', () => {
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
  test.each(eras)('announce tools that do not change, and nothing else, to a client of the %s era', async (era) => {
    await withClient(era, async (client) => {
      expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
      expect(client.getServerVersion()).toMatchObject({ name: expect.any(String), version: expect.any(String) });
      expect(client.getInstructions()).toContain('service_get_tool_help');
    });
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'the protocol version %s is supported',
    async (protocolVersion) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } };
      const { messages } = await send(JSON.stringify(request('initialize', params)));
      expect(messages[0]!.result.protocolVersion).toBe(protocolVersion);
    },
  );
});
