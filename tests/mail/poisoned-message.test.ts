import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { preparing } from '../../src/mail/sending/prepare-message.ts';
import { openServicePool } from '../support/service-pool.ts';
import { companies } from '../support/world.ts';
import { forgetMail, invite, messageTo } from './transport-support.ts';

const pool = openServicePool(2);
afterEach(forgetMail);
afterAll(() => pool.end());

test('a message that cannot be composed does not hold up the others of its company', async () => {
  const [broken, other] = [await invite(), await invite()];
  await testService.query(`update admins set setup_expires_at = '280000-01-01Z' where id = $1`, [broken.id]);
  const ids = [(await messageTo(broken.id)).id, (await messageTo(other.id)).id] as const;
  const { prepare } = preparing({
    ...{ from: { name: 'Awareness', address: 'awareness@sender.test' }, contact: 'help@sender.test' },
    ...{ trainingUrl: undefined, publicUrl: 'https://awareness.test' },
  });
  const attempts = ids.map((messageId) => ({ messageId, attempt: 1 }));
  const prepared = await prepare(new TenantAccess(pool).ofJob(companies.tenant), attempts);
  expect(prepared.get(ids[0])).toBeInstanceOf(RangeError);
  expect(prepared.get(ids[1])).toMatchObject({ mail: { to: { address: other.email } } });
});
