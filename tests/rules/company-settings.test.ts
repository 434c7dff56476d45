import { parseCompanySettings, settle } from '../../src/commands/keys/company-settings.ts';

const business = { plan_name: 'business', learner_limit: null, domain: null, domain_lock: false };
const locked = { ...business, domain: 'example.org', domain_lock: true };
const trial = { ...business, plan_name: 'freeTrial', learner_limit: 40 };

describe('the settings that options set', () => {
  test.each([
    [{}, {}],
    [{ plan: 'freeTrial' }, { plan_name: 'freeTrial' }],
    [{ 'learner-limit': '0' }, { learner_limit: 0 }],
    [{ 'learner-limit': 'none' }, { learner_limit: null }],
    [{ domain: 'Example.ORG' }, { domain: 'example.org' }],
    [{ domain: 'none' }, { domain: null }],
    [{ 'domain-lock': true }, { domain_lock: true }],
    [{ 'no-domain-lock': true }, { domain_lock: false }],
    [
      { enable: 'smbreachproenabled, smphish', disable: 'smlearn' },
      { smbreachproenabled: true, smphish: true, smlearn: false },
    ],
    [{ 'watched-domains': 'A.test,b.test, a.test' }, { smbreachprodomains: ['a.test', 'b.test'] }],
    [{ 'watched-domains': 'none' }, { smbreachprodomains: [] }],
  ])('%j', (values, settings) => {
    expect(parseCompanySettings(values)).toEqual(settings);
  });

  test.each([
    [{ 'domain-lock': true, 'no-domain-lock': true }, 'cannot be combined with'],
    [{ enable: 'smlearn', disable: 'smlearn' }, 'enabled and disabled'],
    [{ enable: 'training' }, '--enable must be a list of'],
    [{ 'watched-domains': 'localhost' }, '--watched-domains must be a domain name'],
    [{ 'watched-domains': ',' }, '--watched-domains must be a list of domain names'],
    [{ 'learner-limit': '-1' }, '--learner-limit must be a whole number'],
  ])('%j is rejected', (values, reason) => {
    expect(() => parseCompanySettings(values)).toThrow(reason);
  });
});

describe('derived settings', () => {
  test.each([
    ['a new trial gets the default limit', business, { plan_name: 'freeTrial' }, { learner_limit: 25 }],
    [
      'a new trial keeps an existing limit',
      { ...business, learner_limit: 9 },
      { plan_name: 'freeTrial' },
      { learner_limit: 9 },
    ],
    ['a later plan keeps the limit of the trial', trial, { plan_name: 'business' }, { learner_limit: 40 }],
    ['a null limit removes the limit', trial, { plan_name: 'business', learner_limit: null }, { learner_limit: null }],
    [
      'a domain lock survives a change of domain',
      locked,
      { domain: 'example.com' },
      { domain: 'example.com', domain_lock: true },
    ],
  ])('%s', (_what, current, change, after) => {
    expect(settle(current, change)).toEqual({ ...current, ...change, ...after });
  });

  test.each([
    ['a trial without a limit', trial, { learner_limit: null }, 'A free trial has a learner limit'],
    ['a domain lock without a domain', business, { domain_lock: true }, '--domain-lock requires --domain'],
    ['removing the locked domain', locked, { domain: null }, '--domain-lock requires --domain'],
  ])('%s is rejected', (_what, current, change, reason) => {
    expect(() => settle(current, change)).toThrow(reason);
  });
});
