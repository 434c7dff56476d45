import { expectError, get, post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';

const campaign = { externalId: 'engine-1', name: 'Parcel notice', deliveryMethod: 'email' };
const future = '2090-01-01T00:00:00.000Z';
const past = '2026-01-05T08:00:00.000Z';
const tell = (fields: object) => post('/simulations', { ...campaign, ...fields });

afterEach(() => testService.query('delete from simulations where external_id is not null'));

describe('POST /simulations', () => {
  test('makes a simulation under its id elsewhere, which lists show', async () => {
    const { status, body } = await tell({ startDate: '2026-01-05T09:00:00+01:00' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...campaign, status: 'running', startDate: past, endDate: null });
    const listed = (await get('/simulations')).body.data.find(({ id }: { id: string }) => id === body.data.id);
    expect(listed).toMatchObject({ externalId: 'engine-1', recipientCount: 0 });
  });

  test('changes it when it is told again, and leaves alone what is not told', async () => {
    const { body: first } = await tell({ startDate: past });
    const { body: second } = await tell({ name: 'Another name', endDate: '2026-02-01T00:00:00Z' });
    expect(second.data).toEqual({
      ...first.data,
      name: 'Another name',
      endDate: '2026-02-01T00:00:00.000Z',
      status: 'completed',
    });
  });

  test('two companies may use one external id, each for its own', async () => {
    await tell({});
    expect((await post('/simulations', campaign, 'other')).status).toBe(200);
    const rows = await testService.query('select company_id from simulations where external_id = $1', ['engine-1']);
    expect(rows.map(({ company_id }) => company_id).toSorted()).toEqual([companies.tenant, companies.other].toSorted());
  });

  test('is made once by twenty calls side by side', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => tell({ startDate: past })));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test.each([
    [{}, 'draft'],
    [{ startDate: future }, 'scheduled'],
    [{ startDate: past }, 'running'],
    [{ startDate: past, endDate: past }, 'completed'],
    [{ startDate: past, status: 'cancelled' }, 'cancelled'],
  ])('%j is %s', async (fields, status) => {
    expect((await tell(fields)).body.data.status).toBe(status);
  });

  test('one that has ended stays so, whatever its dates say', async () => {
    await tell({ startDate: past, status: 'cancelled' });
    expect((await tell({ startDate: future })).body.data.status).toBe('cancelled');
  });

  test.each([
    ['a status that goes back', { startDate: past, status: 'scheduled' }, 'body/status'],
    ['an end before the start', { endDate: '2025-01-01T00:00:00Z' }, 'body/endDate'],
    ['a status that needs a start', { startDate: null, status: 'running' }, 'body/startDate'],
    ['an unknown field', { status: 'running', recipients: [] }, 'body/recipients'],
    ['an unknown method of delivery', { deliveryMethod: 'fax' }, 'body/deliveryMethod'],
  ])('%s is a 400 that names the field, and changes nothing', async (_case, fields, field) => {
    await tell({ startDate: past });
    const before = await testService.query('select * from simulations');
    const answer = await tell(fields);
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.error!.details.map(({ field: named }) => named)).toContain(field);
    expect(await testService.query('select * from simulations')).toEqual(before);
  });
});
