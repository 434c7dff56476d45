import { judgeAssignable, judgeExistence, judgePairs } from '../../src/resources/learners/shared/pair-rules.ts';

const codes = { noTarget: 'no_target', noPair: 'no_pair', done: 'done_already' };
const facts = {
  codes,
  inactive: new Map([
    ['active', false],
    ['inactive', true],
  ]),
  targets: new Map([
    ['open', undefined],
    ['done', undefined],
    ['new', undefined],
    ['closed', 'not_now'],
  ]),
};
const ofBoth = (target: string) => new Map(['active', 'inactive'].map((learner) => [learner, new Set([target])]));

describe('adding', () => {
  test.each([
    ['active', 'new', undefined],
    ['active', 'open', undefined],
    ['active', 'done', undefined],
    ['active', 'closed', 'not_now'],
    ['active', 'unknown', 'no_target'],
    ['inactive', 'new', 'learner_inactive'],
    ['inactive', 'closed', 'learner_inactive'],
    ['inactive', 'unknown', 'no_target'],
    ['unknown', 'new', 'learner_not_found'],
    ['unknown', 'unknown', 'learner_not_found'],
  ])('%s learner, %s target: %s', (learner, target, code) => {
    expect(judgeAssignable(facts)(learner, target)).toBe(code);
  });
});

describe('reminding', () => {
  const judge = judgePairs(codes, judgeAssignable(facts), ofBoth('open'), ofBoth('done'));
  test.each([
    ['active', 'open', undefined],
    ['active', 'done', 'done_already'],
    ['active', 'new', 'no_pair'],
    ['active', 'closed', 'not_now'],
    ['active', 'unknown', 'no_target'],
    ['inactive', 'open', 'learner_inactive'],
    ['inactive', 'done', 'learner_inactive'],
    ['unknown', 'open', 'learner_not_found'],
  ])('%s learner, %s target: %s', (learner, target, code) => {
    expect(judge(learner, target)).toBe(code);
  });

  test('a learner without pairs cannot be reminded', () => {
    expect(judgePairs(codes, judgeAssignable(facts), new Map(), new Map())('active', 'open')).toBe('no_pair');
  });
});

describe('removing', () => {
  const removed = new Map([
    ['active', new Set(['open'])],
    ['inactive', new Set(['closed'])],
  ]);
  const judge = judgePairs(codes, judgeExistence(facts), removed, ofBoth('done'));
  test.each([
    ['active', 'open', undefined],
    ['inactive', 'closed', undefined],
    ['active', 'closed', 'no_pair'],
    ['active', 'new', 'no_pair'],
    ['active', 'done', 'done_already'],
    ['inactive', 'open', 'no_pair'],
    ['active', 'unknown', 'no_target'],
    ['unknown', 'open', 'learner_not_found'],
    ['unknown', 'unknown', 'learner_not_found'],
  ])('%s learner, %s target: %s', (learner, target, code) => {
    expect(judge(learner, target)).toBe(code);
  });
});
