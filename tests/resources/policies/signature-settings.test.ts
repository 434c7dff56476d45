import { type Answer, del, patch } from '../../support/client.ts';
import { expectNoDeadlocks } from '../courses/enrollment-state.ts';
import { expectNoFailure, expectRefused, meanwhile, whileSlow } from '../tenant-state.ts';
import { create, discard, policy, race, read, restorePolicies, signatureDefault, update } from './policy-state.ts';

restorePolicies();

const path = (id: string): string => `/policies/${id}`;
const tryTo = (id: string, body: object): Promise<Answer> => patch(path(id), body);
/** Changes only the signature settings of a policy and returns them. */
const set = async (id: string, signatureSettings: object): Promise<any> =>
  (await update(id, { action: 'draft', signatureSettings })).signatureSettings;
const settingsOf = async (id: string): Promise<any> => (await read(id)).signatureSettings;
const nothing = { startDate: null, intervalLength: null, intervalUnit: null };
const yearly = { type: 'lastSignature', intervalLength: 1, intervalUnit: 'years' };

describe('signatureSettings of PATCH /policies/{policyId}', () => {
  const settings = { type: 'fixed', startDate: '2027-01-31', intervalLength: 2, intervalUnit: 'years' };
  const kept = { ...settings, useDefault: false, setDefault: false };

  test.each(['draft', 'live'])('apply at once with action %s and publish no version', async (action) => {
    const changed = await update(policy(1), { action, signatureSettings: settings });
    expect(changed).toMatchObject({ signatureSettings: kept, isLive: true });
    expect([changed.majorVersion, changed.minorVersion]).toEqual([1, 0]);
    expect(await read(policy(1))).toEqual(changed);
  });

  test('stay if omitted, even if the draft is discarded or published', async () => {
    await update(policy(2), { action: 'draft', signatureSettings: settings });
    expect(await discard(policy(2))).toMatchObject({ signatureSettings: kept });
    expect(await update(policy(2), { action: 'live', name: 'Next' })).toMatchObject({ signatureSettings: kept });
  });

  test('replace the previous settings completely; null fields and omitted fields are equal', async () => {
    const own = { type: 'none', ...nothing, useDefault: false, setDefault: false };
    await set(policy(1), settings);
    expect(await set(policy(1), { type: 'none' })).toEqual(own);
    await set(policy(1), settings);
    expect(await set(policy(1), { type: 'none', ...nothing })).toEqual(own);
  });

  test.each([{ type: 'none' }, { type: 'newUsers', useDefault: true }, settings, { ...settings, setDefault: true }])(
    '%j can be sent back as returned and stay unchanged',
    async (signatureSettings) => {
      const answered = await set(policy(1), signatureSettings);
      expect(await set(policy(1), answered)).toEqual(answered);
    },
  );

  test('that contradict themselves return 400 naming the field and change nothing', async () => {
    const signatureSettings = { type: 'lastSignature', startDate: '2027-01-31', intervalLength: 3 };
    const request = () => tryTo(policy(1), { action: 'live', name: 'Next', signatureSettings });
    await expectRefused(request, 400, 'invalid_request', ['body/signatureSettings/startDate']);
  });

  test('setDefault moves the default from one policy to another', async () => {
    const default_ = { action: 'draft', signatureSettings: { ...settings, setDefault: true } };
    expect((await update(policy(1), default_)).signatureSettings).toEqual({ ...kept, setDefault: true });
    await update(policy(2), { action: 'draft', signatureSettings: { type: 'newUsers', setDefault: true } });
    expect((await read(policy(1))).signatureSettings).toEqual(kept);
    expect(await signatureDefault()).toEqual({ policyIds: [policy(2)], type: 'newUsers' });
  });

  test('with both useDefault and setDefault return 400 and change nothing', async () => {
    const signatureSettings = { type: 'none', useDefault: true, setDefault: true };
    const fields = ['body/signatureSettings/setDefault'];
    for (const action of ['draft', 'live']) {
      const request = () => tryTo(policy(1), { action, name: 'Next', resend: true, signatureSettings });
      await expectRefused(request, 400, 'invalid_request', fields);
    }
  });
});

describe('the default signature settings of a company', () => {
  const standard = { ...yearly, ...{ startDate: null } };
  const followed = { ...standard, useDefault: true, setDefault: false };
  let owner: string;
  let follower: string;
  beforeEach(async () => {
    owner = (await create({ signatureSettings: { ...yearly, setDefault: true } })).id;
    follower = (await create({ signatureSettings: { type: 'none', useDefault: true } })).id;
  });

  test('are returned by policies that follow them, and change with their policy', async () => {
    expect(await settingsOf(follower)).toEqual(followed);
    const changed = { type: 'fixed', startDate: '2027-01-31', intervalLength: null, intervalUnit: null };
    expect(await set(owner, changed)).toEqual({ ...changed, useDefault: false, setDefault: true });
    expect(await settingsOf(follower)).toEqual({ ...changed, useDefault: true, setDefault: false });
    expect(await signatureDefault()).toEqual({ policyIds: [owner], type: 'fixed' });
  });

  test('stay if their policy changes without signatureSettings', async () => {
    await update(owner, { action: 'live', name: 'Next' });
    expect(await settingsOf(owner)).toEqual({ ...standard, useDefault: false, setDefault: true });
    expect(await settingsOf(follower)).toEqual(followed);
  });

  test('can be withdrawn by their policy; followers return to their own settings', async () => {
    expect(await set(owner, { ...yearly, setDefault: false })).toEqual({
      ...standard,
      useDefault: false,
      setDefault: false,
    });
    expect(await settingsOf(follower)).toEqual({ type: 'none', ...nothing, useDefault: true, setDefault: false });
    expect(await signatureDefault()).toEqual({ policyIds: [], type: null });
    await set(policy(2), { type: 'newUsers', setDefault: true });
    expect(await settingsOf(follower)).toMatchObject({ type: 'newUsers', useDefault: true });
  });

  test('cannot be withdrawn by another policy', async () => {
    expect(await set(follower, followed)).toEqual(followed);
    await set(policy(2), { type: 'none', setDefault: false });
    expect(await settingsOf(follower)).toEqual(followed);
    expect(await settingsOf(owner)).toMatchObject({ setDefault: true });
  });

  test('outlive their deleted policy until another policy sets and withdraws the default', async () => {
    await del('/policies/bulk', { policyIds: [owner] });
    expect(await settingsOf(follower)).toEqual(followed);
    await set(policy(1), { type: 'none', setDefault: false });
    expect(await settingsOf(follower)).toEqual(followed);
    expect(await settingsOf((await create({ signatureSettings: { type: 'none', useDefault: true } })).id)).toEqual(
      followed,
    );
    await set(policy(2), { type: 'newUsers', setDefault: true });
    expect(await settingsOf(follower)).toMatchObject({ type: 'newUsers', useDefault: true });
    await set(policy(2), { type: 'newUsers', setDefault: false });
    expect(await settingsOf(follower)).toMatchObject({ type: 'none', useDefault: true });
  });

  test('cannot be followed by their own policy unless it withdraws them', async () => {
    const fields = ['body/signatureSettings/setDefault'];
    const signatureSettings = { type: 'none', useDefault: true };
    const request = () => tryTo(owner, { action: 'draft', signatureSettings });
    await expectRefused(request, 400, 'invalid_request', fields);
    expect(await set(owner, { ...signatureSettings, setDefault: false })).toMatchObject({
      type: 'none',
      useDefault: true,
    });
  });

  test('from a draft apply at once and stay if the draft is discarded', async () => {
    const signatureSettings = { type: 'newUsers', setDefault: true };
    const { id } = await create({ action: 'draft', signatureSettings });
    expect(await settingsOf(follower)).toMatchObject({ type: 'newUsers' });
    await discard(id);
    expect(await settingsOf(follower)).toMatchObject({ type: 'newUsers' });
  });
});

describe('the day on which signature settings were set', () => {
  const LONG_AGO = '2026-01-31';
  const age = () =>
    testService.query(`update policies set signature_set_on = '${LONG_AGO}' where signature_type is not null;
                       update signature_defaults set set_on = '${LONG_AGO}'`);
  const today = () => new Date().toISOString().slice(0, 10);
  const dayOf = async (id: string): Promise<unknown> => {
    const [row] = await testService.query('select signature_set_on::text as day from policies where id = $1', [id]);
    return row!.day;
  };
  const dayOfDefault = async (): Promise<unknown> =>
    (await testService.query('select set_on::text as day from signature_defaults'))[0]!.day;

  test.each([
    ['equal settings', { ...yearly }, false],
    ['another type', { type: 'none' }, true],
    ['another interval', { ...yearly, intervalLength: 2 }, true],
    ['another unit', { ...yearly, intervalUnit: 'months' }, true],
    ['following the default', { ...yearly, useDefault: true }, true],
    ['setDefault', { ...yearly, setDefault: true }, false],
  ])('stays or becomes today with %s', async (_case, settings, isNew) => {
    await set(policy(1), yearly);
    expect(await dayOf(policy(1))).toBe(today());
    await age();
    await set(policy(1), settings);
    expect(await dayOf(policy(1))).toBe(isNew ? today() : LONG_AGO);
  });

  test('stays if own settings change while a default replaces them, but not without a default', async () => {
    await set(policy(1), { type: 'none', useDefault: true });
    await set(policy(2), { ...yearly, setDefault: true });
    await age();
    await set(policy(1), await settingsOf(policy(1)));
    expect(await dayOf(policy(1))).toBe(LONG_AGO);
    await set(policy(2), { ...yearly, setDefault: false });
    expect([await dayOf(policy(2)), await dayOfDefault()]).toEqual([LONG_AGO, today()]);
    await set(policy(1), { type: 'none', useDefault: true });
    expect(await dayOf(policy(1))).toBe(today());
  });

  test.each([
    ['equal settings', { ...yearly, setDefault: true }, false],
    ['other settings', { type: 'none', setDefault: true }, true],
  ])(
    'of the default stays or becomes today with %s from either of the two policies',
    async (_case, settings, isNew) => {
      await set(policy(1), { ...yearly, setDefault: true });
      expect(await dayOfDefault()).toBe(today());
      for (const number of [1, 2] as const) {
        await set(policy(1), { ...yearly, setDefault: true });
        await age();
        await set(policy(number), settings);
        expect(await dayOfDefault()).toBe(isNew ? today() : LONG_AGO);
      }
    },
  );
});

describe('concurrent changes of signature settings', () => {
  expectNoDeadlocks();
  const toDefault = { action: 'draft', signatureSettings: { type: 'none', setDefault: true } };
  beforeEach(() => update(policy(1), toDefault));

  test.each<[string, () => Promise<Answer>]>([
    ['setDefault of the policy with the default', () => race('PATCH', path(policy(1)), toDefault)],
    ['setDefault of a third policy', () => race('PATCH', path(policy(3)), toDefault)],
    ['a deletion of both policies', () => race('DELETE', '/policies/bulk', { policyIds: [policy(1), policy(2)] })],
  ])('setDefault of another policy never deadlocks with %s', async (_case, send) => {
    await whileSlow('insert', 'signature_defaults', async () => {
      const requests = [race('PATCH', path(policy(2)), toDefault)];
      await meanwhile();
      expect(await expectNoFailure([...requests, send()])).toEqual({ 200: 2 });
    });
    expect((await signatureDefault()).policyIds.length).toBeLessThanOrEqual(1);
  });

  test('a policy that is losing the default neither takes it back nor withdraws it', async () => {
    for (const setDefault of [undefined, false]) {
      await update(policy(1), toDefault);
      await whileSlow('insert', 'signature_defaults', async () => {
        const requests = [race('PATCH', path(policy(2)), toDefault)];
        await meanwhile();
        const signatureSettings = { type: 'newUsers', setDefault };
        requests.push(race('PATCH', path(policy(1)), { action: 'draft', signatureSettings }));
        expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
      });
      expect(await signatureDefault()).toEqual({ policyIds: [policy(2)], type: 'none' });
      expect(await settingsOf(policy(1))).toMatchObject({ type: 'newUsers', setDefault: false });
    }
  });
});
