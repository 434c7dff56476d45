import type { Request, Response } from 'express';
import { type KeyBudget, limitByKey } from '../../src/http/rate-limits/rate-limits.ts';

/** Builds the parts that the limit reads of a request, made with a key or by a source. */
function requestBy(keyId: string, source?: object): [Request, Response] {
  const res = { locals: { caller: { keyId, source } }, setHeader: () => undefined };
  return [{}, res] as unknown as [Request, Response];
}

/** Returns the rejection of a request, or undefined if it passes. */
function outcomeOf({ limit }: KeyBudget, ...[keyId, source]: Parameters<typeof requestBy>): unknown {
  try {
    void limit(...requestBy(keyId, source), () => undefined);
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

describe('the budget of a key', () => {
  test('serves as many requests as it allows', () => {
    const budget = limitByKey(5, new Map());
    const refused = Array.from({ length: 12 }, () => outcomeOf(budget, 'key')).filter(Boolean);
    expect(refused).toHaveLength(7);
    for (const error of refused) expect(error).toMatchObject({ code: 'rate_limited' });
  });

  test('is shared by requests and the calls within them, and separate per key', () => {
    const budget = limitByKey(2, new Map());
    budget.take('key');
    expect(outcomeOf(budget, 'key')).toBeUndefined();
    expect(() => budget.take('key')).toThrow('Too many requests');
    expect(() => budget.take('other')).not.toThrow();
  });

  test('is separate from the budget of a source, which is ten times as large', () => {
    const budget = limitByKey(2, new Map());
    const refused = Array.from({ length: 22 }, () => outcomeOf(budget, 'source', {})).filter(Boolean);
    expect(refused).toHaveLength(2);
    expect(outcomeOf(budget, 'source')).toBeUndefined();
  });

  test('is unlimited if the limit is off', () => {
    const { take } = limitByKey(0, new Map());
    for (let n = 0; n < 10_000; n++) take('key');
  });
});
