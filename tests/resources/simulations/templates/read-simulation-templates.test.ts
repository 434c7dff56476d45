import { call, expectError, get } from '../../../support/client.ts';
import { simulationTemplateId, TEMPLATE_WORDS } from '../../../support/world-simulations.ts';
import { companies, learnerId, unknownId } from '../../../support/world.ts';
import { makeManaged, removeMade } from './template-state.ts';

const OWN = simulationTemplateId('tenant');
const idsOf = async (query = '', key: 'tenant' | 'msp' = 'tenant') =>
  ((await get(`/simulation-templates${query}`, key)).body.data as { id: string }[]).map(({ id }) => id);

afterEach(removeMade);

describe('GET /simulation-templates', () => {
  test('lists managed and own templates, and none of another company', async () => {
    const managed = await makeManaged();
    const { body } = await get('/simulation-templates');
    expect(body.data).toEqual(
      [
        {
          ...{ id: managed, name: 'Managed', deliveryMethod: 'qr_code', difficulty: 4, locales: ['en', 'de'] },
          ...{ source: 'managed', retiredAt: null },
        },
        {
          ...{ id: OWN, name: 'Template of tenant', deliveryMethod: 'email', difficulty: 2, locales: ['en'] },
          ...{ source: 'custom', retiredAt: null },
        },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    expect(await idsOf(`?companyId=${companies.childA}`, 'msp')).toContain(simulationTemplateId('childA'));
  });

  test('filters by delivery method, difficulty and language, and omits retired templates', async () => {
    const managed = await makeManaged();
    for (const query of ['?deliveryMethod=qr_code', '?difficulty=4', '?locale=de'])
      expect(await idsOf(query)).toEqual([managed]);
    expect(await idsOf('?locale=fr')).toEqual([]);
    await testService.query('update simulation_templates set retired_at = now() where id = $1', [managed]);
    expect(await idsOf()).toEqual([OWN]);
    expect(await idsOf('?includeRetired=true')).toContain(managed);
  });

  test('supports CSV and pages', async () => {
    const managed = await makeManaged();
    const csv = await call('tenant', 'GET', '/simulation-templates', { headers: { accept: 'text/csv' } });
    expect(csv.text).toContain(managed);
    const first = await get('/simulation-templates?limit=1');
    expect(first.body.data).toHaveLength(1);
    const { nextCursor } = (first.body as { page: { nextCursor: string } }).page;
    expect([first.body.data[0].id, ...(await idsOf(`?limit=1&cursor=${nextCursor}`))].toSorted()).toEqual(
      [managed, OWN].toSorted(),
    );
  });
});

describe('GET /simulation-templates/{simulationTemplateId}', () => {
  test('returns the content in each language', async () => {
    const { body } = await get(`/simulation-templates/${await makeManaged()}`);
    expect(body.data).toMatchObject({
      source: 'managed',
      content: [
        { locale: 'en', ...TEMPLATE_WORDS, lesson: 'en', attachment: null },
        { locale: 'de', ...TEMPLATE_WORDS, lesson: 'de', attachment: null },
      ],
    });
  });

  test.each([simulationTemplateId('other'), unknownId])(
    'returns 404 for a foreign or unknown template: %s',
    async (id) => {
      expectError(await get(`/simulation-templates/${id}`), 404, 'not_found');
      expectError(await get(`/simulation-templates/${id}/previews/${learnerId('tenant', 1)}`), 404, 'not_found');
    },
  );
});

describe('GET /simulation-templates/{simulationTemplateId}/previews/{learnerId}', () => {
  const preview = (id: string, learner = learnerId('tenant', 1), query = '') =>
    get(`/simulation-templates/${id}/previews/${learner}${query}`);

  test('renders the message for the learner with a placeholder link, and queues nothing', async () => {
    await testService.query(`update learners set first_name = '<b>Ada' where id = $1`, [learnerId('tenant', 1)]);
    const { data } = (await preview(OWN)).body;
    expect(data).toMatchObject({
      ...{ locale: 'en', senderName: 'Parcel desk', senderMailbox: 'parcels', subject: 'A parcel for <b>Ada' },
      ...{ text: expect.stringContaining('https://link.example/'), attachment: null },
    });
    expect(data.html).toContain('Hello &lt;b&gt;Ada, <a href="https://link.example/">');
    expect(data.html).toContain('The tenant company');
    expect(await testService.query(`select from messages where kind = 'simulation'`)).toEqual([]);
  });

  test('uses the language of the learner or the requested one', async () => {
    const managed = await makeManaged(['en', 'de'], { html: '<p>{{qrCode}}</p>' });
    await testService.query(`update learners set locale = 'de-CH' where id = $1`, [learnerId('tenant', 2)]);
    expect((await preview(managed, learnerId('tenant', 2))).body.data.locale).toBe('de');
    const { data } = (await preview(managed, learnerId('tenant', 2), '?locale=en')).body;
    expect(data).toMatchObject({ locale: 'en', html: expect.stringContaining('<img src="data:image/svg+xml,') });
    expectError(await preview(managed, learnerId('tenant', 2), '?locale=fr'), 400, 'invalid_request', ['query/locale']);
  });

  test('returns 404 for a foreign learner', async () => {
    expectError(await preview(OWN, learnerId('other', 1)), 404, 'not_found');
  });
});
