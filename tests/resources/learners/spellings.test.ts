import { get, patch, post } from '../../support/client.ts';

const learner = (name: string, others: object = {}) => ({
  email: `${name}@tenant.test`,
  firstName: 'Ada',
  lastName: 'Test',
  ...others,
});

test('an invalid string in a bulk creation rejects only its row', async () => {
  const rows = [
    learner('row0'),
    learner('row1', { firstName: 'Jana\u200b' }),
    learner('row2', { firstName: 'Suharto', lastName: '' }),
    learner('row3', { locale: 'DE' }),
    learner('row4', { locale: 'en_US.UTF-8' }),
    learner('row5', { locale: 'Klingon!' }),
    learner('row6', { firstName: '' }),
    learner('row7', { lastName: 'x'.repeat(201) }),
    learner('row8', { externalLearnerId: '\u00ad' }),
    learner('row9', { lastName: 'tab\tin' }),
    learner('row10', { email: 'null\u0000@tenant.test', externalLearnerId: '\u0000' }),
    learner('row11', { email: `${'x'.repeat(300)}@tenant.test` }),
  ];
  const { status, body } = await post('/learners/bulk', { learners: rows });
  expect(status).toBe(200);
  expect(body.data.created.map(({ index }: { index: number }) => index)).toEqual([0, 2, 3, 4]);
  expect(body.data.errors).toMatchObject(
    [
      [1, '`firstName` must have a visible character'],
      [5, '`locale` must be a language tag'],
      [6, '`firstName` must have a visible character'],
      [7, '`lastName` must have at most 200'],
      [8, '`externalLearnerId` must have'],
      [9, '`lastName` must have'],
      [10, '`externalLearnerId` must have'],
      [11, 'The e-mail address is invalid'],
    ].map(([index, message]) => ({
      index,
      code: 'invalid_request',
      message: expect.stringContaining(String(message)),
    })),
  );
  const [, suharto, german, american] = await Promise.all(
    body.data.created.map(
      async ({ learnerId }: { learnerId: string }) => (await get(`/learners/${learnerId}`)).body.data,
    ),
  );
  expect(suharto).toMatchObject({ firstName: 'Suharto', lastName: '', name: 'Suharto' });
  expect([german.locale, american.locale]).toEqual(['de', 'en-US']);
});

test('an invalid string in a bulk update rejects only its item', async () => {
  const made = await post('/learners/bulk', { learners: [learner('item0'), learner('item1')] });
  const [one, two] = made.body.data.created.map(({ learnerId }: { learnerId: string }) => learnerId);
  const { body } = await patch('/learners/bulk', {
    learners: [
      { learner: { id: one }, firstName: 'Ja\u200bna' },
      { learner: { id: two }, lastName: '', locale: 'de_CH.UTF-8', firstName: ' Suharto ' },
    ],
  });
  expect(body.data).toMatchObject({ success: false, updated: [{ index: 1 }], errors: [{ index: 0, learnerId: one }] });
  expect((await get(`/learners/${two}`)).body.data).toMatchObject({ name: 'Suharto', locale: 'de-CH' });
});

test('a single creation or change accepts an empty last name and rejects invisible characters', async () => {
  const { body } = await post('/learners', learner('one', { firstName: 'Suharto', lastName: ' ' }));
  expect(body.data).toMatchObject({ firstName: 'Suharto', lastName: '', name: 'Suharto' });
  const wrong = await post('/learners', learner('two', { lastName: 'a\u200bb' }));
  expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ field: 'body/lastName' }] } } });
  const changed = await patch(`/learners/${body.data.id}`, { firstName: 'Suharto', lastName: 'a\u0007' });
  expect(changed).toMatchObject({ status: 400, body: { error: { details: [{ field: 'body/lastName' }] } } });
  for (const firstName of ['', ' '])
    expect((await post('/learners', learner('three', { firstName }))).status).toBe(400);
});

test('surrounding white space in email, externalLearnerId, names and locale is ignored', async () => {
  const others = {
    email: ' spaced@tenant.test\u00a0',
    firstName: ' Ada\u00a0',
    lastName: ' Test ',
    externalLearnerId: '\t0815 ',
  };
  const wanted = {
    email: 'spaced@tenant.test',
    firstName: 'Ada',
    lastName: 'Test',
    externalLearnerId: '0815',
    locale: 'de',
  };
  const { body } = await post('/learners', learner('spaced', { ...others, locale: ' DE ' }));
  expect(body.data).toMatchObject(wanted);
  const again = await post('/learners/bulk', { learners: [learner('spaced', others)] });
  expect(again.body.data.errors).toMatchObject([{ code: 'email_taken', learnerId: body.data.id }]);
  for (const key of [{ email: ' SPACED@tenant.test ' }, { externalLearnerId: ' 0815\u00a0' }]) {
    const changed = await patch('/learners/bulk', { learners: [{ learner: key, ...others }] });
    expect(changed.body.data.updated).toEqual([{ index: 0, learnerId: body.data.id, changed: false }]);
  }
  const changed = await patch(`/learners/${body.data.id}`, { ...others, email: ' SPACED@tenant.test ' });
  expect(changed.body.data).toMatchObject({ ...wanted, email: 'SPACED@tenant.test' });
});
