/** @jest-environment-options {"TEST_DATABASE": "demo", "RATE_LIMIT_PER_MINUTE": "0"} */
import { randomUUID } from 'node:crypto';
import { operations } from '../../src/contract/contract.ts';
import {
  callsOf,
  entriesExpected,
  entriesOf,
  exampleCalls,
  MAKES_A_DRAFT,
  OF_OWN_SIMULATIONS,
  sendExample,
} from './example-calls.ts';

// Operations that accept an idempotency key. Their handlers run in the transaction of the key.

const changes = exampleCalls.filter(({ operationId }) => operations[operationId].idempotencyKey);
const url = () => `${testService.url}/v1`;

test('every operation that accepts an idempotency key has an example or is listed in OF_OWN_SIMULATIONS', () => {
  const shown = new Set([
    ...changes.map(({ operationId }) => operationId),
    ...OF_OWN_SIMULATIONS.filter((id) => operations[id].idempotencyKey),
  ]);
  expect(shown.size).toBe(Object.values(operations).filter(({ idempotencyKey }) => idempotencyKey).length);
});

test.each(changes.map((one) => [one.operationId, one.example, one] as const))(
  '%s, example %s: a repeated key replays the response and adds no audit log entry',
  async (operationId, _example, request) => {
    const before = MAKES_A_DRAFT[operationId];
    if (before)
      await sendExample(
        url(),
        callsOf(before).find(({ example }) => example === 'draft')!,
      );
    const key = { 'idempotency-key': randomUUID() };
    const first = await sendExample(url(), request, key);
    expect({ status: first.status, error: first.body.error }).toEqual({ status: 200, error: undefined });
    const again = await sendExample(url(), request, key);
    expect({ text: again.text, replayed: again.headers.get('idempotency-replayed') }).toEqual({
      text: first.text,
      replayed: 'true',
    });
    expect(await entriesOf(first)).toEqual(entriesExpected(operationId));
    expect(await entriesOf(again)).toEqual([]);
  },
);
