import { type Schemas, scopes } from '../../../contract/contract.ts';
import type { KeyInput } from './keys-page.ts';

export type NewKey = Schemas['CreateApiKeyInput'];

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads the form as it was sent. */
export function readKeyForm(form: URLSearchParams): KeyInput {
  const may = form.get('may');
  return {
    typed: { name: form.get('name') ?? '', expiresAt: form.get('expiresAt') ?? '' },
    may: may === 'all' || may === 'some' ? may : 'read',
    scopes: form.getAll('scopes'),
  };
}

/** The form as it is first shown: for a year, and to read. */
export function firstAskedKey(now: Date): KeyInput {
  const inAYear = new Date(now);
  inAYear.setUTCFullYear(now.getUTCFullYear() + 1);
  return { typed: { name: '', expiresAt: inAYear.toISOString().slice(0, 10) }, may: 'read', scopes: [] };
}

/** The body of `createApiKey`. What is wrong in it, the contract says. */
export function toNewKey({ typed, may, scopes: ticked }: KeyInput): NewKey {
  const { name = '', expiresAt = '' } = typed;
  const scopeNames = may === 'read' ? scopes.filter((scope) => scope.endsWith(':read')) : ticked;
  return {
    name,
    expiresAt: expiresAt === '' ? null : DAY.test(expiresAt) ? `${expiresAt}T23:59:59Z` : expiresAt,
    ...(may !== 'all' && { scopes: scopeNames as Schemas['ApiKeyScopeInput'][] }),
  };
}
