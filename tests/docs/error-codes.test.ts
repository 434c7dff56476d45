import { readFileSync } from 'node:fs';
import { errorCodes } from '../../src/contract/error-codes.ts';
import { post } from '../support/client.ts';
import { read } from './docs-support.ts';

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const codes = contract.components.schemas.ErrorCode['x-extensible-enum'] as string[];

/** Codes that any operation returns, or that no operation causes. */
const GENERAL = [
  ...['invalid_request', 'unauthorized', 'forbidden', 'insufficient_scope', 'not_found'],
  ...['method_not_allowed', 'payload_too_large', 'rate_limited', 'internal_error', 'service_unavailable'],
  ...['breach_data_unavailable', 'service_timeout', 'idempotency_key_reused'],
];

test.each(codes)('%s has a page with its meaning, what to do, and its operations', async (code) => {
  const { status, text } = await read(`/docs/error-codes/${code}.md`);
  expect(status).toBe(200);
  const { status: answered, when } = errorCodes[code as keyof typeof errorCodes];
  expect(text).toMatch(new RegExp(`^# ${code}\n\nStatus ${answered}\\. `));
  expect(text).toContain(when);
  expect(text).toContain('## What to do\n\n');
  const operations = text.match(/^- \[.*\]\(\/docs\/operations\/\w+\): `/gm) ?? [];
  expect({ code, isGeneral: text.includes('Any operation can return this code.') }).toEqual({
    code,
    isGeneral: GENERAL.includes(code),
  });
  expect(operations.length > 0).toBe(!GENERAL.includes(code));
});

test('the list of codes links to every page, and only to those', async () => {
  const { text } = await read('/docs/error-codes.md');
  const linked = [...text.matchAll(/\]\(\/docs\/error-codes\/(\w+)\)/g)].map((match) => match[1]);
  expect(linked.toSorted()).toEqual(codes.toSorted());
});

test('an operation and its specific codes link to each other', async () => {
  const { text } = await read('/docs/operations/createLearner.md');
  expect(text).toMatch(/Specific codes: .*\[`email_taken`\]\(\/docs\/error-codes\/email_taken\)/);
  expect((await read('/docs/error-codes/email_taken.md')).text).toContain(
    '- [Create a learner](/docs/operations/createLearner): `POST /v1/learners`',
  );
});

test("a response's error code links to its documentation page", async () => {
  const { body } = await post('/learners', { email: 'nobody' });
  expect((await read(`/docs/error-codes/${body.error!.code}`)).status).toBe(200);
});
