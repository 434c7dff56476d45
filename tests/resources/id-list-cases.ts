import { type Answer } from '../support/client.ts';
import { learnerId, unknownId } from '../support/world.ts';
import { expectRefused } from './tenant-state.ts';

const known = learnerId('tenant', 1);

/**
 * Tests that an invalid list of ids returns 400 naming the position.
 * @param field the name of the list, such as `learnerIds`
 * @param send calls the operation with a list
 */
export function testIdList(field: string, send: (ids: unknown) => Promise<Answer>, { mayBeEmpty = false } = {}): void {
  test.each<[string, unknown, string[]]>([
    ['an id twice, once in upper case', [known, unknownId, known.toUpperCase()], [`body/${field}`]],
    ['an invalid id', [known, unknownId, 'nonsense'], [`body/${field}/2`]],
    ['an id with white space', [`${known} `], [`body/${field}/0`]],
    ['a number as an id', [7], [`body/${field}/0`]],
    ['null as an id', [null], [`body/${field}/0`]],
    ['an id with a null character', ['\0'], [`body/${field}/0`]],
    ['an id twice', [known, unknownId, known], [`body/${field}`]],
    ['an id that is not in a list', known, [`body/${field}`]],
    ['null as the list', null, [`body/${field}`]],
    ['10,001 ids', Array.from({ length: 10_001 }, (_, n) => numbered(n)), [`body/${field}`]],
    ['no list', undefined, [`body/${field}`]],
  ])('%s returns 400 and changes nothing', async (_case, ids, fields) => {
    await expectRefused(() => send(ids), 400, 'invalid_request', fields);
  });

  if (mayBeEmpty) return;
  test('an empty list returns 400', () => expectRefused(() => send([]), 400, 'invalid_request', [`body/${field}`]));
}

/** Returns a well-formed id that does not exist, different for each number. */
export function numbered(number: number): string {
  return `0192ffff-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}
