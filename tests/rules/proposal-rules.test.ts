import {
  MAX_PROPOSALS,
  scoreSubjects,
  selectProposals,
} from '../../src/resources/courses/gap-analysis/proposal-rules.ts';
import type { Question } from '../../src/resources/courses/authored/course.ts';

const question = (id: string, subject: string | null): Question => {
  const answers = [
    { id: 'a', right: true },
    { id: 'b', right: false },
  ];
  return { key: `question:${id}`, version: 'v', id, kind: 'one', answers, atLeast: null, scenes: [], subject };
};
const score = (subject: string, percent: number) => ({ subject, score: percent });

test('the score of a subject is its share of correct answers', () => {
  const questions = [question('1', 'mail'), question('2', 'mail'), question('3', 'keys'), question('4', null)];
  const done = Object.fromEntries(
    ['1a', '2b', '3a', '4b'].map(([id, answer]) => [`question:${id}`, { version: 'v', given: [answer!] }]),
  );
  expect(scoreSubjects(questions, done)).toEqual([score('mail', 50), score('keys', 100)]);
});

test('the lowest scores below the pass mark are proposed, at most three, in order', () => {
  const scores = [score('a', 69), score('b', 0), score('c', 70), score('d', 40), score('e', 0), score('f', 100)];
  const selected = selectProposals(scores, 70);
  expect(selected.map(({ subject }) => subject)).toEqual(['b', 'e', 'd']);
  expect(selected).toHaveLength(MAX_PROPOSALS);
});

test('nothing is proposed if every subject reaches the pass mark, or if there are no subjects', () => {
  expect(selectProposals([score('a', 70), score('b', 100)], 70)).toEqual([]);
  expect(selectProposals([], 70)).toEqual([]);
});
