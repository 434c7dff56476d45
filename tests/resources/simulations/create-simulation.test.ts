import { expectError, get, post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';

const campaign = { externalId: 'engine-1', name: 'Parcel notice', deliveryMethod: 'email' };
const future = '2090-01-01T00:00:00.000Z';
const past = '2026-01-05T08:00:00.000Z';
const tell = (fields: object) => post('/simulations', { ...campaign, ...fields });

afterEach(() => testService.query('delete from simulations where external_id is not null'));

describe('POST /simulations', () => {
  test('creates a simulation under its external id, which the list shows', async () => {
    const { status, body } = await tell({ startDate: '2026-01-05T09:00:00+01:00' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...campaign, status: 'running', startDate: past, endDate: null });
    const listed = (await get('/simulations')).body.data.find(({ id }: { id: string }) => id === body.data.id);
    expect(listed).toMatchObject({ externalId: 'engine-1', recipientCount: 0 });
  });

  test('updates the simulation with the same externalId and keeps omitted fields', async () => {
    const { body: first } = await tell({ startDate: past });
    const { body: second } = await tell({ name: 'Another name', endDate: '2026-02-01T00:00:00Z' });
    expect(second.data).toEqual({
      ...first.data,
      name: 'Another name',
      endDate: '2026-02-01T00:00:00.000Z',
      status: 'completed',
    });
  });

  test('two companies can use the same externalId, each for its own simulation', async () => {
    await tell({});
    expect((await post('/simulations', campaign, 'other')).status).toBe(200);
    const rows = await testService.query('select company_id from simulations where external_id = $1', ['engine-1']);
    expect(rows.map(({ company_id }) => company_id).toSorted()).toEqual([companies.tenant, companies.other].toSorted());
  });

  test('twenty simultaneous calls create one simulation', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => tell({ startDate: past })));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test.each([
    [{}, 'draft'],
    [{ startDate: future }, 'scheduled'],
    [{ startDate: past }, 'running'],
    [{ startDate: past, endDate: past }, 'completed'],
    [{ startDate: past, status: 'cancelled' }, 'cancelled'],
  ])('%j has status %s', async (fields, status) => {
    expect((await tell(fields)).body.data.status).toBe(status);
  });

  test('a cancelled simulation stays cancelled when its dates change', async () => {
    await tell({ startDate: past, status: 'cancelled' });
    expect((await tell({ startDate: future })).body.data.status).toBe('cancelled');
  });

  test.each([
    ['a status that goes backwards', { startDate: past, status: 'scheduled' }, 'body/status'],
    ['an end before the start', { endDate: '2025-01-01T00:00:00Z' }, 'body/endDate'],
    ['a running status without a start', { startDate: null, status: 'running' }, 'body/startDate'],
    ['an unknown field', { status: 'running', recipients: [] }, 'body/recipients'],
    ['an unknown delivery method', { deliveryMethod: 'fax' }, 'body/deliveryMethod'],
  ])('%s returns 400 naming the field and changes nothing', async (_case, fields, field) => {
    await tell({ startDate: past });
    const before = await testService.query('select * from simulations');
    const answer = await tell(fields);
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.error!.details.map(({ field: named }) => named)).toContain(field);
    expect(await testService.query('select * from simulations')).toEqual(before);
  });
});
