import { del, get } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';

const COMPLETED = 1;
const SCHEDULED = 2;
const RUNNING = 5;
type Company = 'tenant' | 'childA';
const read = async (company: Company, number: 1 | 2 | 5): Promise<any> =>
  (await get(`/simulations/${simulationId(company, number)}`, company)).body.data;
const figuresOf = async (company: Company, number: 1 | 2 | 5): Promise<object> => {
  return { ...(await read(company, number)), recipients: null };
};

describe('the figures of a simulation whose learners are deleted', () => {
  test('stay the same in detail, list and metrics if it is completed, without learner ids', async () => {
    const before = await figuresOf('tenant', COMPLETED);
    const listed = (await get('/simulations')).body.data[0];
    const metrics = (await get('/simulations/metrics')).body.data;
    await del(`/learners/${learnerId('tenant', 2)}`);
    await del('/learners/bulk', { learnerIds: [learnerId('tenant', 1), learnerId('tenant', 5)] });
    expect(await figuresOf('tenant', COMPLETED)).toEqual(before);
    expect((await get('/simulations')).body.data[0]).toEqual(listed);
    expect((await get('/simulations/metrics')).body.data.totalMetrics).toEqual(metrics.totalMetrics);
    const { recipients } = await read('tenant', COMPLETED);
    expect(recipients.map((recipient: any) => recipient.learner.id)).toEqual([learnerId('tenant', 3)]);
    const left = await testService.query(`select t::text as row from former_recipients t`);
    for (const { row } of left) expect(row).not.toMatch(/0192a3b4-0000-7000-8000-[1b]/);
  });

  test('keep sent messages and lose unsent ones if it is running', async () => {
    const before: any = await figuresOf('childA', RUNNING);
    const scheduled: any = await figuresOf('childA', SCHEDULED);
    await del('/learners/bulk', { learnerIds: [learnerId('childA', 1), learnerId('childA', 2)] }, 'childA');
    expect(await figuresOf('childA', RUNNING)).toEqual({ ...before, recipientCount: 1, scheduledCount: 0 });
    expect([before.recipientCount, before.scheduledCount]).toEqual([2, 1]);
    expect(await figuresOf('childA', SCHEDULED)).toEqual({ ...scheduled, recipientCount: 0, scheduledCount: 0 });
  });
});
