/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { tools } from '../../generated/tools.ts';
import { get } from '../support/client.ts';
import { templateId, policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { companies, groupId, learnerId, managedCourses } from '../support/world.ts';
import {
  byBeginning,
  call,
  expectSentences,
  read,
  refusal,
  request,
  resultOf,
  send,
  sendModern,
  toolCall,
} from './mcp-support.ts';

type Properties = Record<string, { type: string; enum?: string[]; pattern?: string }>;

/** Valid values of required arguments. */
const right: Record<string, string> = {
  learnerId: learnerId('tenant', 1),
  groupId: groupId('tenant', 1),
  courseId: managedCourses.phishing,
  policyId: policyId('tenant', 1),
  policyTemplateId: templateId('tenant', 1),
  simulationId: simulationId('tenant', 1),
};

/** Each tool with each of its kinds, and its minimum arguments. */
const least = tools.flatMap(({ name, inputSchema, operations }) =>
  operations.map(({ select, arguments: taken }) => {
    const required = (inputSchema.required as readonly string[]).filter((argument) => argument in right);
    const args: Record<string, unknown> = { ...(select as object | null) };
    for (const argument of required) args[argument] = right[argument];
    const selected = Object.keys((select as object | null) ?? {});
    const properties = inputSchema.properties as unknown as Properties;
    const own = Object.keys(properties).filter((one) => [...selected, ...taken, 'limit', 'cursor'].includes(one));
    return { name, args, properties, own, takesOthers: Object.keys(properties).filter((one) => !own.includes(one)) };
  }),
);
const cases = least.map((one) => [`${one.name} ${JSON.stringify(one.args.kind ?? '')}`, one] as const);

/** Expects an error that a model can act on, of limited length, and returns its text. */
async function expectRefused(name: string, args: unknown): Promise<string> {
  const text = await refusal(name, args);
  expect(text).not.toContain('Reference');
  expect(text.length).toBeLessThan(1500);
  return text;
}

/** Expects errors from many calls in one batch, each naming the faulty argument. */
async function expectAllRefused(name: string, calls: { args: object; fault?: string }[]): Promise<void> {
  if (calls.length === 0) return;
  const batch = calls.map(({ args }, id) => toolCall(name, args, id));
  const { messages } = await send(JSON.stringify(batch));
  expect(messages).toHaveLength(calls.length);
  for (const message of messages) {
    const { args, fault = '' } = calls[message.id as number]!;
    const { isError, text } = resultOf(message);
    expect({ args, isError, text }).toEqual({ args, isError: true, text: expect.stringContaining(fault) });
    expectSentences(text);
    expect(text).not.toContain('Reference');
    expect(text.length).toBeLessThan(1500);
  }
}

const SURROGATE = '\ud800';
const wrongFor: Record<string, unknown[]> = {
  integer: [null, 0, -1, 1.5, 201, 1e9, '5', '', [5], {}, true],
  boolean: [null, 0, 1, 'true', '', [], {}],
  string: [null, 5, true, {}, [], ['x']],
};
const wrongTexts = ['', ' ', '\0', SURROGATE, 'x'.repeat(10_000), '__proto__', "' or 1=1 --"];

describe.each(cases)('%s', (_name, { name, args, properties, own, takesOthers }) => {
  test('accepts its minimum arguments, and no fewer', async () => {
    const key = name === 'service_list_companies' ? 'msp' : 'tenant';
    expect((await call(name, args, key)).isError).toBe(false);
    for (const argument of Object.keys(args)) {
      const rest = Object.entries(args).filter(([other]) => other !== argument);
      expect(await expectRefused(name, Object.fromEntries(rest))).toContain(`\`${argument}\` is required`);
    }
  });

  test('rejects invalid values naming the argument', async () => {
    for (const argument of own) {
      const { type, enum: values, pattern } = properties[argument]!;
      const texts = type === 'string' && (values || pattern) ? wrongTexts : [];
      const wrong = [...wrongFor[type]!, ...texts];
      await expectAllRefused(
        name,
        wrong.map((value) => ({ args: { ...args, [argument]: value }, fault: argument })),
      );
    }
  });

  test('rejects malformed ids', async () => {
    for (const argument of own.filter((one) => one in right)) {
      const wrong = [...wrongTexts, `${right[argument]!}\0`, ` ${right[argument]!}`];
      await expectAllRefused(
        name,
        wrong.map((value) => ({ args: { ...args, [argument]: value } })),
      );
    }
  });

  test('rejects unknown arguments', async () => {
    const names = ['constructor', 'toString', 'prototype', 'company_id', 'sql', SURROGATE, ''];
    await expectAllRefused(
      name,
      names.map((argument) => ({ args: { ...args, [argument]: { companyId: companies.other } } })),
    );
  });

  test('rejects arguments of another kind', async () => {
    const valueOf = (argument: string) =>
      right[argument] ?? (argument.endsWith('Date') ? '2026-01-01' : companies.tenant);
    await expectAllRefused(
      name,
      takesOthers.map((argument) => ({ args: { ...args, [argument]: valueOf(argument) }, fault: argument })),
    );
  });
});

describe('arguments at the size limit of a body', () => {
  const SIZE = 65_000;
  test('a long name is rejected in few words', () => expectRefused('service_list_learners', { ['x'.repeat(SIZE)]: 1 }));

  test('a long value is rejected in few words', async () => {
    await expectRefused('service_get_learner', { learnerId: '1'.repeat(SIZE) });
    await expectRefused('service_list_learners', { companyId: '1'.repeat(SIZE) });
    await expectRefused('service_list_learners', { cursor: '1'.repeat(SIZE) });
  });

  test('many arguments are rejected in few words', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`unknown${n}`, n]));
    await expectRefused('service_list_learners', many);
    await expectRefused('service_get_tool_help', many);
  });

  test('a deeply nested argument is rejected in few words', async () => {
    const deep = `${'['.repeat(32_000)}${']'.repeat(32_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"service_list_learners","arguments":{"limit":${deep}}}}`;
    const { status, text } = await send(body);
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(2000);
  });

  test('a __proto__ argument has no effect', async () => {
    const args = JSON.parse(`{"__proto__": {"companyId": "${companies.other}", "limit": 1}}`) as object;
    const { text } = await call('service_list_learners', { ...args });
    expect(text).not.toContain('other.test');
    expect((await read('service_list_learners')).items).toHaveLength(5);
  });
});

describe('the dates of a report', () => {
  const kind = 'risk_score_history';
  test.each(
    byBeginning([
      '2026-02-30',
      '2026-13-01',
      '2026-',
      '2026-1-1',
      '2026-01-01T00:00:00Z',
      '2026-01-01; select 1',
      '2026-01-01\0',
      `2026-${'0'.repeat(60_000)}`,
      '0000-01-01',
      '3000-01-01',
      'today',
      'infinity',
      '',
    ]),
  )('%s is rejected by the tool and by REST', async (_beginning, day) => {
    for (const name of ['from', 'to']) {
      const asked = await get(`/reports/risk-score-history?${name}=${encodeURIComponent(day.slice(0, 1000))}`);
      expect({ day: day.slice(0, 40), status: asked.status }).toEqual({ day: day.slice(0, 40), status: 400 });
      expect(await expectRefused('service_get_report', { kind, [name]: day })).toContain(name);
    }
  });

  test.each([
    ['2024-02-29', '2024-02-29'],
    ['1000-01-01', '2999-12-31'],
  ])('from %s to %s are accepted', async (from, to) => {
    const answer = await read('service_get_report', { kind, from, to });
    expect(answer).toMatchObject({ fromDate: from, toDate: to, total: expect.any(Number) });
  });
});

describe('cursors', () => {
  test.each(['-1', '1.5', '1e3', 'x', '1234567890', ' 1', '1 ', '1\n', '٣', '0x1', '+1', 'null'])(
    'the cursor %j is rejected',
    async (cursor) => {
      expect(await expectRefused('service_list_learners', { cursor })).toContain('cursor');
    },
  );

  test.each(['5', '6', '200', '999999999'])('the cursor %s past the end returns only the total', async (cursor) => {
    for (const limit of [1, 200]) {
      const answer = await read('service_list_learners', { cursor, limit });
      expect(answer).toEqual({ total: 5, shown: 'none', items: [] });
    }
    const metrics = await read('service_get_simulation_metrics', { cursor });
    expect(metrics).toMatchObject({ total: 5, shown: 'none', simulations: [], totalMetrics: expect.any(Object) });
  });
});

describe('invalid tool calls', () => {
  test.each(
    byBeginning([
      'Service_Get_Company',
      'SERVICE_GET_COMPANY',
      ' service_get_company',
      'service_get_company\0',
      'getCompany',
      '__proto__',
      'constructor',
      'toString',
      '',
      SURROGATE,
      'x'.repeat(60_000),
      'service_delete_learner',
    ]),
  )('the name %s is not a tool', async (_beginning, name) => {
    const { messages } = await send(JSON.stringify(toolCall(name)));
    expect(messages).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(messages[0]!.error!.message).toContain('tools/list');
    expect(messages[0]!.error!.message.length).toBeLessThan(300);
  });

  test.each([[null], [5], [{}], [['service_get_company']], [undefined]])(
    'the name %j is rejected naming the parameter',
    async (name) => {
      const { messages } = await send(JSON.stringify(toolCall(name)));
      expect(messages).toMatchObject([{ id: 1, error: { code: -32602 } }]);
      expectSentences(messages[0]!.error!.message);
      expect(messages[0]!.error!.message).toMatch(/^`name` .*tools\/list/);
    },
  );

  test.each([[null], [[]], ['x'], [5], [true], [[{ limit: 5 }]]])(
    'the arguments %j are rejected with a sentence in either era',
    async (args) => {
      const params = { name: 'service_list_learners', arguments: args };
      const answers = [
        await send(JSON.stringify(toolCall('service_list_learners', args))),
        await sendModern('tools/call', params),
      ];
      for (const { status, messages } of answers) {
        const { isError, text } = resultOf(messages[0]!);
        expect({ status, isError }).toEqual({ status: 200, isError: true });
        expect(text).toMatch(/^`arguments` must be an object/);
        expectSentences(text);
      }
    },
  );

  test.each([[5], [null], [{}], [['x']], ['x'], ['']])(
    'tools/list rejects the cursor %j and says to omit it',
    async (cursor) => {
      const answers = [
        await send(JSON.stringify(request('tools/list', { cursor }))),
        await sendModern('tools/list', { cursor }),
      ];
      for (const { messages } of answers) {
        expect(messages).toMatchObject([{ id: 1, error: { code: -32602 } }]);
        expect(messages[0]!.error!.message).toMatch(/^`cursor` .*leave it out/i);
        expectSentences(messages[0]!.error!.message);
      }
    },
  );

  test('omitted arguments and empty arguments are equal', async () => {
    expect((await read('service_list_learners')).total).toBe(5);
    expect((await read('service_list_learners', {})).total).toBe(5);
  });

  test('these calls log no errors', () => {
    expect(testService.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });
});
