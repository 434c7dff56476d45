import { get } from '../../support/client.ts';
import { learner } from '../courses/enrollment-state.ts';
import { merged, rowsOfLearners, undone } from './merge-state.ts';

describe('POST /learner-merges', () => {
  test.each([
    [2, 1],
    [1, 2],
    [3, 1],
    [5, 1],
  ] as const)('undoing the merge of learner %i into %i restores every row', async (from, into) => {
    const before = await rowsOfLearners();
    const merge = await merged(learner(from), learner(into));
    expect((await get(`/learners/${learner(from)}`)).body.data.id).toBe(learner(into));
    await undone(merge.id);
    expect(await rowsOfLearners()).toEqual(before);
  });
});
