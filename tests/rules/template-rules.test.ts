import type { AccountType } from '../../src/auth/caller.ts';
import {
  decideSharing,
  judgeSharing,
  type Sharing,
} from '../../src/resources/policies/templates/policy-template-rules.ts';

describe('decideSharing', () => {
  const nobody = { isGlobal: false, companies: [] };
  const everyChild = { isGlobal: true, companies: [] };
  const named = { isGlobal: false, companies: ['mine'] };
  test.each<[Sharing, object | undefined]>([
    [{}, undefined],
    [{ global: true }, everyChild],
    [{ global: false }, nobody],
    [{ companies: [] }, nobody],
    [{ companies: ['mine'] }, named],
    [{ global: true, companies: [] }, nobody],
    [{ global: true, companies: ['mine'] }, named],
    [{ global: false, companies: [] }, nobody],
    [{ global: false, companies: ['mine'] }, named],
  ])('%j results in %j', (call, sharing) => {
    expect(decideSharing(call)).toEqual(sharing);
  });
});

describe('judgeSharing', () => {
  const managed = new Set(['mine', 'mine too']);

  test.each<[AccountType, Sharing]>([
    ['tenant', {}],
    ['tenant', { global: false }],
    ['tenant', { companies: [] }],
    ['prospect', { global: false, companies: [] }],
    ['msp', {}],
    ['msp', { global: true }],
    ['msp', { companies: ['mine'] }],
    ['msp', { global: false, companies: ['mine too', 'mine'] }],
    ['distributor', { global: true, companies: ['mine'] }],
    ['distributor', { global: true, companies: [] }],
  ])('a %s can send %j', (accountType, sharing) => {
    expect(() => judgeSharing(sharing, accountType, managed)).not.toThrow();
  });

  test.each<[AccountType, Sharing]>([
    ['tenant', { global: true }],
    ['tenant', { companies: ['mine'] }],
    ['tenant', { global: false, companies: ['mine'] }],
    ['prospect', { global: true, companies: [] }],
    ['prospect', { companies: ['stranger'] }],
  ])('a %s cannot send %j', (accountType, sharing) => {
    expect(() => judgeSharing(sharing, accountType, managed)).toThrow(
      expect.objectContaining({ code: 'forbidden', details: [] }),
    );
  });

  test.each([
    [['stranger'], ['body/companies/0']],
    [
      ['mine', 'stranger', 'mine too', 'another'],
      ['body/companies/1', 'body/companies/3'],
    ],
  ])('an MSP that names %j gets the positions of the unmanaged companies', (companies, fields) => {
    const message = 'is not a company that yours manages';
    const details = fields.map((field) => ({ field, message }));
    for (const global of [true, false]) {
      expect(() => judgeSharing({ global, companies }, 'msp', managed)).toThrow(
        expect.objectContaining({ code: 'forbidden', details }),
      );
    }
  });
});
