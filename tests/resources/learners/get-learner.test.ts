import { expectError, get } from '../../support/client.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';

describe('GET /learners/{learnerId}', () => {
  test('returns the learner with groups and manager', async () => {
    const { status, body } = await get(`/learners/${learnerId('tenant', 3)}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: learnerId('tenant', 3),
      email: 'learner3@tenant.test',
      externalLearnerId: 'HR-3',
      name: 'Katherine tenant',
      inactive: false,
      firstName: 'Katherine',
      lastName: 'tenant',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      isManager: false,
      managedBy: null,
      locale: 'en',
      department: null,
      jobTitle: null,
      country: null,
      location: null,
      timeZone: null,
      absentUntil: null,
      ...{ mailStatus: 'deliverable', mailStatusReason: null, mailStatusSince: null },
      managerId: null,
      excludedFromAutoEnrol: false,
      riskScoreLevel: 'low',
      groups: [
        { id: groupId('tenant', 1), name: 'Group 1' },
        { id: groupId('tenant', 2), name: 'Group 2' },
      ],
      manager: { id: learnerId('tenant', 1), name: 'Ada tenant', email: 'learner1@tenant.test' },
    });
  });

  test('a manager is not their own manager', async () => {
    const { body } = await get(`/learners/${learnerId('tenant', 1)}`);
    expect(body.data).toMatchObject({ isManager: true, manager: null });
  });

  test('an MSP reads a learner of its child company only with its companyId', async () => {
    const path = `/learners/${learnerId('childA', 1)}`;
    expect((await get(`${path}?companyId=${companies.childA}`, 'msp')).status).toBe(200);
    expectError(await get(path, 'msp'), 404, 'not_found');
  });

  test('a learner of another company returns 404', async () => {
    expectError(await get(`/learners/${learnerId('other', 1)}`), 404, 'not_found');
  });

  test.each([unknownId, 'no-uuid', '%00', 'a'.repeat(1000), '%F0%9F%98%80'])('the id %s returns 404', async (id) => {
    expectError(await get(`/learners/${id}`), 404, 'not_found');
  });
});
