import { expectError, get } from '../../support/client.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { learnerId, unknownId } from '../../support/world.ts';

const path = '/reports/learning';
const one = learnerId('tenant', 1);
const completed = simulationId('tenant', 1);
const running = simulationId('tenant', 5);

describe('GET /reports/learning with invalid filters', () => {
  test.each(['', 'done', 'Finished', '%20finished', 'not_started,in_progress', 'finished&status=unfinished', '%00'])(
    'the status "%s" returns 400 naming the parameter',
    async (status) => {
      expectError(await get(`${path}?status=${status}`), 400, 'invalid_request', ['query/status']);
    },
  );

  test('the message for an invalid status lists the valid ones', async () => {
    const { body } = await get(`${path}?status=done`);
    for (const status of ['not_started', 'in_progress', 'unfinished', 'finished'])
      expect(body.error!.message).toContain(status);
  });

  test.each(['', 'clicked', 'Visited', 'unfinished', 'opened,visited', 'opened&outcome=visited', '%00'])(
    'the outcome "%s" returns 400 naming the parameter',
    async (outcome) => {
      const query = `simulationId=${completed}&outcome=${outcome}`;
      expectError(await get(`${path}?${query}`), 400, 'invalid_request', ['query/outcome']);
    },
  );

  test.each([
    ['outcome=visited', 'simulationId', 'outcome'],
    [`simulationId=${completed}`, 'outcome', 'simulationId'],
  ])('%s without its counterpart returns 400 naming both parameters', async (query, missing, given) => {
    const answer = await get(`${path}?${query}&status=unfinished`);
    expectError(answer, 400, 'invalid_request', [`query/${missing}`]);
    expect(answer.body.error!.message).toContain(given);
  });

  test.each(['', 'nonsense', completed.toUpperCase().replace('A', 'G'), '%00', `${completed}&simulationId=${running}`])(
    'the simulationId "%s" returns 400 naming the parameter',
    async (id) => {
      expectError(await get(`${path}?outcome=visited&simulationId=${id}`), 400, 'invalid_request', [
        'query/simulationId',
      ]);
    },
  );

  test.each([
    ['that does not exist', unknownId],
    ['of another company', simulationId('other', 1)],
    ['of a learner', one],
  ])('a simulationId %s returns 404', async (_case, id) => {
    const answer = await get(`${path}?simulationId=${id}&outcome=visited`);
    expectError(answer, 404, 'not_found');
    expect(answer.body.error!.message).toBe('Simulation not found.');
  });
});
