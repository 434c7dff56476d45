import { setImmediate as turn } from 'node:timers/promises';
import { limitUnauthenticatedLookups } from '../../src/identity/unauthenticated-lookups.ts';

test('an IPv6 network shares the slots of one address and leaves the rest to others', async () => {
  const answered = Promise.withResolvers<void>();
  const holders: string[] = [];
  const lookUp = (address: string) =>
    limitUnauthenticatedLookups({ address }, async () => {
      holders.push(address);
      await answered.promise;
    });
  const flood = Array.from({ length: 40 }, (_, host) => lookUp(`2001:db8:0:${host}::${host}`));
  const people = Array.from({ length: 4 }, (_, host) => lookUp(`192.0.2.${host}`));
  await turn();
  expect(holders.filter((address) => address.startsWith('192'))).toHaveLength(4);
  answered.resolve();
  await Promise.all([...flood, ...people]);
});
