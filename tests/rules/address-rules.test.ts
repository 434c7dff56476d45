import { type AddressHolder, findOwner } from '../../src/resources/simulations/events/address-rules.ts';

const at = (time: string) => `2026-05-04T${time}:00.000Z`;
const ada: AddressHolder = { learnerId: 'ada', since: at('08:00') };
const bea: AddressHolder = { learnerId: 'bea', since: at('10:00') };

test.each<[string, Parameters<typeof findOwner>[0]['type'], string, AddressHolder[], string | undefined, string?]>([
  ['a visit without a known holder belongs to the current learner', 'visited', '09:00', [], 'cy', 'cy'],
  ['a visit without a known holder or a current learner belongs to nobody', 'visited', '09:00', [], undefined],
  ['a visit belongs to its holder, not to the current learner', 'visited', '09:00', [ada], 'cy', 'ada'],
  ['a delivery belongs to the last holder if nobody has the address now', 'sent', '09:00', [ada], undefined, 'ada'],
  ['a visit before the first known delivery belongs to the first holder', 'visited', '07:00', [ada], 'cy', 'ada'],
  ['a later delivery belongs to the current learner', 'sent', '09:00', [ada], 'cy', 'cy'],
  ['a later plan belongs to the current learner', 'scheduled', '09:00', [ada], 'cy', 'cy'],
  ['the known delivery belongs to its holder', 'sent', '08:00', [ada], 'cy', 'ada'],
  ['an earlier plan belongs to the holder', 'scheduled', '07:00', [ada], 'cy', 'ada'],
  ['a visit belongs to the last holder before it', 'visited', '11:00', [bea, ada], 'bea', 'bea'],
  ['a visit belongs to the first holder until the second one begins', 'visited', '09:59', [bea, ada], 'bea', 'ada'],
  ['a visit before both holders belongs to the first one', 'visited', '07:00', [bea, ada], 'bea', 'ada'],
  ['a delivery between two holders belongs to the first, who still exists', 'sent', '09:00', [bea, ada], 'bea', 'ada'],
])('%s', (_case, type, time, holders, current, owner = undefined) => {
  expect(findOwner({ type, occurredAt: at(time) }, holders, current)).toBe(owner);
});
