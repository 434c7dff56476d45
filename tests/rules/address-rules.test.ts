import { type AddressHolder, findOwner } from '../../src/resources/simulations/events/address-rules.ts';

const at = (time: string) => `2026-05-04T${time}:00.000Z`;
const ada: AddressHolder = { learnerId: 'ada', since: at('08:00') };
const bea: AddressHolder = { learnerId: 'bea', since: at('10:00') };

test.each<[string, Parameters<typeof findOwner>[0]['type'], string, AddressHolder[], string | undefined, string?]>([
  ['without a holder, whoever has it now', 'visited', '09:00', [], 'cy', 'cy'],
  ['without a holder and a learner, nobody', 'visited', '09:00', [], undefined],
  ['the holder, though somebody else has it now', 'visited', '09:00', [ada], 'cy', 'ada'],
  ['the holder, though nobody has it now', 'sent', '09:00', [ada], undefined, 'ada'],
  ['the holder of an event before the sending', 'visited', '07:00', [ada], 'cy', 'ada'],
  ['whoever has it now, of a later sending', 'sent', '09:00', [ada], 'cy', 'cy'],
  ['whoever has it now, of a later plan', 'scheduled', '09:00', [ada], 'cy', 'cy'],
  ['the holder, of the sending that is known', 'sent', '08:00', [ada], 'cy', 'ada'],
  ['the holder, of an earlier plan', 'scheduled', '07:00', [ada], 'cy', 'ada'],
  ['the last holder before the event', 'visited', '11:00', [bea, ada], 'bea', 'bea'],
  ['the first holder, before the second', 'visited', '09:59', [bea, ada], 'bea', 'ada'],
  ['the first holder, before both', 'visited', '07:00', [bea, ada], 'bea', 'ada'],
  ['a holder who is there, of a sending between', 'sent', '09:00', [bea, ada], 'bea', 'ada'],
])('an address means %s', (_case, type, time, holders, current, owner = undefined) => {
  expect(findOwner({ type, occurredAt: at(time) }, holders, current)).toBe(owner);
});
