import fc from 'fast-check';
import {
  asStored,
  type CreationFacts,
  judgeNewLearners,
  type NewLearner,
  refuseEmail,
} from '../../src/resources/learners/learner-rules.ts';
import { freeMailDomains } from '../../src/config/free-mail.ts';

const freeMail = freeMailDomains({ added: [], excepted: [] });
const open = { domain: null, domainLock: false, freeMail };
const locked = { domain: 'Tenant.test', domainLock: true, freeMail };

describe('refuseEmail', () => {
  test.each(['ada@tenant.test', 'ADA+tag@Tenant.TEST', "o'neil@sub.tenant.test", 'a@b.co', '1.2-3_4@x-y.example'])(
    'accepts %s',
    (email) => expect(refuseEmail(email, open)).toBeUndefined(),
  );

  test.each([
    '',
    'ada',
    'ada@',
    '@tenant.test',
    'ada@tenant',
    'ada@@tenant.test',
    'a b@tenant.test',
    'ada..x@tenant.test',
    '.ada@tenant.test',
    'ada@tenant..test',
    'ada@-tenant.test',
    'ada@tenant.test.',
    ' ada@tenant.test',
    'ada@tenant.test\n',
    'ada@bücher.test',
    'ada@[127.0.0.1]',
    '"ada"@tenant.test',
  ])('rejects %j as an invalid address', (email) => {
    expect(refuseEmail(email, open)).toMatchObject({ code: 'invalid_request' });
  });

  test.each(['gmail.com', 'GMail.COM', 'googlemail.com', 'hotmail.com', 'yahoo.com', 'web.de', 'protonmail.com'])(
    'rejects the free-mail provider %s',
    (domain) => expect(refuseEmail(`ada@${domain}`, open)).toMatchObject({ code: 'email_provider_not_allowed' }),
  );

  test('matches free-mail providers only against the whole domain', () => {
    for (const email of ['gmail.com@tenant.test', 'ada@gmail.com.tenant.test', 'ada@notgmail.com.test']) {
      expect(refuseEmail(email, open)).toBeUndefined();
    }
  });

  test('accepts only the locked domain, in any case', () => {
    expect(refuseEmail('ada@tenant.test', locked)).toBeUndefined();
    expect(refuseEmail('ada@TENANT.TEST', locked)).toBeUndefined();
    for (const domain of ['sub.tenant.test', 'xtenant.test', 'tenant.test.evil.test', 'tenant.tes', 'other.test']) {
      expect(refuseEmail(`ada@${domain}`, locked)).toMatchObject({ code: 'email_domain_not_allowed' });
    }
  });

  test('accepts the locked domain even if it is a free-mail provider', () => {
    const policy = { ...locked, domain: 'gmail.com' };
    expect(refuseEmail('ada@GMAIL.com', policy)).toBeUndefined();
    expect(refuseEmail('ada@gmx.de', policy)).toMatchObject({ code: 'email_domain_not_allowed' });
  });

  test('ignores the domain of a company without domain lock', () => {
    expect(refuseEmail('ada@other.test', { ...locked, domainLock: false })).toBeUndefined();
  });
});

test('asStored trims and normalises values, omits omitted fields and clears null ones', () => {
  const fields = { externalLearnerId: ' HR 1 ', locale: 'zh_Hant_TW', firstName: ' Ada ' };
  expect(asStored(fields)).toEqual({ externalLearnerId: 'HR 1', locale: 'zh-Hant-TW', firstName: 'Ada' });
  expect(asStored({ externalLearnerId: null })).toEqual({ externalLearnerId: null });
  expect(asStored({})).toEqual({});
});

const facts = (given: Partial<CreationFacts> = {}): CreationFacts => ({
  emailPolicy: open,
  freeSeats: null,
  emailHolders: new Map(),
  externalIdHolders: new Map(),
  existingGroupIds: new Set(['g1', 'g2']),
  existingManagerIds: new Set(),
  ...given,
});
type Row = Omit<NewLearner, 'index' | 'id'>;
const learner = (email: string, fields: Partial<Row> = {}): Row => ({
  ...{ email, firstName: 'Ada', lastName: 'Lovelace' },
  ...fields,
});
const asked = (rows: Row[]): NewLearner[] => rows.map((row, index) => ({ ...row, index, id: `new ${index}` }));
const codes = (rows: Row[], given?: Partial<CreationFacts>): string[] =>
  judgeNewLearners(asked(rows), facts(given)).refused.map(({ index, code }) => `${index} ${code}`);

describe('judgeNewLearners', () => {
  test('reports the first failure: address, uniqueness, groups, seats', () => {
    const given = {
      freeSeats: 0,
      emailHolders: new Map([['a@b.test', 'her']]),
      externalIdHolders: new Map([['E', 'him']]),
    };
    const rest = { externalLearnerId: 'E', groupIds: ['unknown'] };
    const rows = [learner('x', rest), learner('A@b.test', rest), learner('c@d.test', rest)];
    const last = [learner('c@d.test', { groupIds: ['unknown'] }), learner('c@d.test', { groupIds: ['g1'] })];
    expect(codes([...rows, ...last], given)).toEqual([
      '0 invalid_request',
      '1 email_taken',
      '2 external_learner_id_taken',
      '3 not_found',
      '4 learner_limit_reached',
    ]);
  });

  test('a rejected row occupies neither its address, its externalLearnerId nor a seat', () => {
    const wanted = learner('a@b.test', { externalLearnerId: 'E' });
    expect(codes([{ ...wanted, groupIds: ['unknown'] }, wanted], { freeSeats: 1 })).toEqual(['0 not_found']);
  });

  test('rows without externalLearnerId do not conflict, and its case is significant', () => {
    const rows = ['E', 'e', undefined, undefined].map((externalLearnerId, n) =>
      learner(`n${n}@b.test`, externalLearnerId === undefined ? {} : { externalLearnerId }),
    );
    expect(codes(rows)).toEqual([]);
  });

  test('names the holder of a duplicate value, in the company or in an earlier row', () => {
    const given = { emailHolders: new Map([['a@b.test', 'her']]), externalIdHolders: new Map([['E', 'him']]) };
    const rows = [
      learner('A@b.test', { externalLearnerId: 'E' }),
      learner('c@d.test', { externalLearnerId: 'E' }),
      learner('c@d.test'),
      learner('C@d.test'),
      learner('none'),
    ];
    const { refused } = judgeNewLearners(asked(rows), facts(given));
    const told = refused.map(({ index, learnerId }) => `${index} ${learnerId}`);
    expect(told).toEqual(['0 her', '1 him', '3 new 2', '4 null']);
  });

  test('negative free seats count as none', () => {
    expect(codes([learner('a@b.test')], { freeSeats: -3 })).toEqual(['0 learner_limit_reached']);
  });

  const emails = fc.constantFrom('a@b.test', 'A@B.test', 'c@d.test', 'e@gmail.com', 'none', 'f@g.test', 'h@i.test');
  const rows = fc.array(
    fc.record(
      {
        email: emails,
        firstName: fc.constant('Ada'),
        lastName: fc.constant('L'),
        externalLearnerId: fc.constantFrom('1', '2', '3'),
        groupIds: fc.subarray(['g1', 'g2', 'unknown']),
      },
      { requiredKeys: ['email', 'firstName', 'lastName'] },
    ),
    { maxLength: 30 },
  );
  const seats = fc.option(fc.integer({ min: -2, max: 8 }));

  test('accepted and rejected rows together are all rows, in order', () => {
    fc.assert(
      fc.property(rows, seats, (given, freeSeats) => {
        const learners = asked(given);
        const { accepted, refused } = judgeNewLearners(learners, facts({ freeSeats }));
        const refusedIndexes = refused.map(({ index }) => index);
        expect(refusedIndexes).toEqual(refusedIndexes.toSorted((a, b) => a - b));
        const rest = learners.filter((_learner, index) => !refusedIndexes.includes(index));
        expect(accepted).toHaveLength(rest.length);
        accepted.forEach((row, index) => expect(row).toBe(rest[index]));
      }),
    );
  });

  test('never accepts more rows than seats, nor a duplicate address or externalLearnerId', () => {
    fc.assert(
      fc.property(rows, seats, (learners, freeSeats) => {
        const holders = {
          emailHolders: new Map([['c@d.test', 'her']]),
          externalIdHolders: new Map([['2', 'him']]),
        };
        const { accepted } = judgeNewLearners(asked(learners), facts({ freeSeats, ...holders }));
        if (freeSeats !== null) expect(accepted.length).toBeLessThanOrEqual(Math.max(0, freeSeats));
        const addresses = accepted.map(({ email }) => email.toLowerCase());
        const external = accepted.flatMap(({ externalLearnerId }) => externalLearnerId ?? []);
        for (const values of [addresses.concat('c@d.test'), external.concat('2')]) {
          expect(new Set(values).size).toBe(values.length);
        }
      }),
    );
  });

  test('rejects a row for lack of seats only if all seats are in use', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 8 }), (learners, freeSeats) => {
        const { accepted, refused } = judgeNewLearners(asked(learners), facts({ freeSeats }));
        if (refused.some(({ code }) => code === 'learner_limit_reached')) expect(accepted).toHaveLength(freeSeats);
      }),
    );
  });
});
