/** @jest-environment-options {"FREE_MAIL_EXTRA_DOMAINS": "club.example", "FREE_MAIL_ALLOWED_DOMAINS": "gmail.com"} */
import { patch, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { expectRefused, forgetNewLearners } from '../tenant-state.ts';

afterEach(forgetNewLearners);

const names = { firstName: 'Ada', lastName: 'tenant' };

test('FREE_MAIL_EXTRA_DOMAINS are rejected in every operation and FREE_MAIL_ALLOWED_DOMAINS are accepted', async () => {
  const added = { ...names, email: 'ada@Club.example' };
  await expectRefused(() => post('/learners', added), 400, 'email_provider_not_allowed', ['body/email']);
  const path = `/learners/${learnerId('tenant', 1)}`;
  await expectRefused(() => patch(path, added), 400, 'email_provider_not_allowed', ['body/email']);
  const { body } = await post('/learners/bulk', { learners: [added, { ...names, email: 'ada@gmail.com' }] });
  expect(body.data).toMatchObject({ created: [{ index: 1 }], errors: [{ code: 'email_provider_not_allowed' }] });
});
