import { judgeNames, judgeRemoval, needsNewInvite } from '../../src/resources/admins/admin-rules.ts';

const owner = { role: 'owner', customScopes: null };
const active = (id: string) => ({ id, status: 'active' as const, managedBy: null, ...owner });
const invited = (id: string) => ({ id, status: 'invited' as const, managedBy: null, ...owner });
const analyst = (id: string) => ({ ...active(id), role: 'analyst' });
const all = { scopes: null };

describe('removing admins', () => {
  test('deletedIds and skippedIds keep the order of the request', () => {
    const judged = judgeRemoval(['x', 'b', 'y', 'a'], [active('a'), active('b'), active('c')], all);
    expect(judged).toEqual({ deletedIds: ['b', 'a'], skippedIds: ['x', 'y'] });
  });

  test.each([
    ['the last active admin', ['a'], [active('a')]],
    ['the last active admin, next to an invited one', ['a'], [active('a'), invited('b')]],
    ['all active admins at once', ['a', 'b'], [active('a'), active('b'), invited('c')]],
    ['the last active owner, next to an active analyst', ['a'], [active('a'), analyst('b')]],
  ])('removing %s is rejected with last_admin', (_case, ids, admins) => {
    expect(() => judgeRemoval(ids, admins, all)).toThrow(expect.objectContaining({ code: 'last_admin' }));
  });

  test.each([
    ['one of two active admins', ['a'], [active('a'), active('b')]],
    ['an invited admin', ['b'], [active('a'), invited('b')]],
    ['the only admin, who is invited', ['a'], [invited('a')]],
    ['the only analyst', ['b'], [active('a'), analyst('b')]],
  ])('%s can be removed', (_case, ids, admins) => {
    expect(judgeRemoval(ids, admins, all).deletedIds).toEqual(ids);
  });
});

test.each([
  ['invited', 'new@example.org', true],
  ['invited', 'OLD@example.org', false],
  ['invited', undefined, false],
  ['active', 'new@example.org', false],
] as const)('an %s admin whose address becomes %s needs a new invite: %s', (status, email, needed) => {
  expect(needsNewInvite({ status, email: 'old@example.org' }, email)).toBe(needed);
});

test.each([
  ['Ada', undefined],
  ['x'.repeat(200), undefined],
  ['🦊'.repeat(200), undefined],
  ['', 'empty'],
  [' \t\u00a0', 'empty'],
  ['x'.repeat(201), 'too_long'],
  ['Ada\0', 'not_text'],
  ['Ada\ud83e', 'not_text'],
  ['Ada\ufffd', 'not_text'],
  ['http://evil.example/login urgent', 'web_address'],
  ['Www.evil.example', 'web_address'],
] as const)('judgeNames(%j) reports %s', (name, fault) => {
  expect(judgeNames({ firstName: name, lastName: 'Lovelace' })).toEqual(fault ? { firstName: fault } : {});
  expect(judgeNames({ firstName: 'Ada', lastName: name })).toEqual(fault ? { lastName: fault } : {});
});
