/** @jest-environment node */
import { listInteractions, readInteractions } from '../../src/resources/courses/scorm/interaction-rules.ts';
import { NO_STATE } from '../../src/resources/courses/scorm/scorm-runtime-rules.ts';

const none = {
  description: null,
  learnerResponse: null,
  correctResponses: [],
  result: null,
  latency: null,
  time: null,
};

test('interactions of SCORM 1.2 are read in the order of their numbers', () => {
  const elements = {
    'cmi.interactions.10.id': 'last',
    'cmi.interactions.2.id': 'first',
    'cmi.interactions.2.type': 'choice',
    'cmi.interactions.2.student_response': 'b',
    'cmi.interactions.2.correct_responses.1.pattern': 'd',
    'cmi.interactions.2.correct_responses.0.pattern': 'c',
    'cmi.interactions.2.result': 'wrong',
    'cmi.interactions.2.latency': '00:00:12',
    'cmi.interactions.2.time': '10:42:07',
    'cmi.objectives.0.id': 'other',
  };
  expect(readInteractions(JSON.stringify(elements))).toEqual([
    {
      ...{ number: 2, id: 'first', type: 'choice', description: null, learnerResponse: 'b', result: 'wrong' },
      ...{ correctResponses: ['c', 'd'], latency: '00:00:12', time: '10:42:07' },
    },
    { ...none, number: 10, id: 'last', type: null },
  ]);
});

test('interactions of SCORM 2004 have a description and a timestamp', () => {
  const elements = {
    'cmi.interactions.0.id': 'q',
    'cmi.interactions.0.description': 'What do you do?',
    'cmi.interactions.0.learner_response': 'true',
    'cmi.interactions.0.timestamp': '2026-03-02T10:42:07Z',
  };
  expect(readInteractions(JSON.stringify(elements))).toEqual([
    {
      ...{ ...none, number: 0, id: 'q', type: null, description: 'What do you do?' },
      ...{ learnerResponse: 'true', time: '2026-03-02T10:42:07Z' },
    },
  ]);
});

test.each([null, '', 'no JSON', 'null', '[1]', '{"cmi.interactions.0.id":1}', '{"cmi.interactions.x.id":"a"}'])(
  '%j has no interactions',
  (elements) => expect(readInteractions(elements)).toEqual([]),
);

test('interactions of all items are listed in order, up to 10,000, without blocking the service', async () => {
  const elementsOf = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`cmi.interactions.${n}.id`, `q${n}`])));
  const stateOf = (count: number) => ({ ...NO_STATE, elements: elementsOf(count) });
  const others = Object.fromEntries(Array.from({ length: 12 }, (_, item) => [String(item + 1), stateOf(7000)]));
  const few = await listInteractions({ ...stateOf(2), others: { 3: stateOf(1), 5: stateOf(2) } });
  expect(few.map(({ number, id }) => [number, id])).toEqual([
    [0, 'q0'],
    [1, 'q1'],
    [2, 'q0'],
    [3, 'q0'],
    [4, 'q1'],
  ]);

  let turns = 0;
  const count = () => {
    turns += 1;
    if (turns < 1000) setImmediate(count);
  };
  setImmediate(count);
  const many = await listInteractions({ ...stateOf(7000), others });
  expect(many).toHaveLength(10_000);
  expect(many.at(-1)).toMatchObject({ number: 9999, id: 'q2999' });
  expect(turns).toBeGreaterThan(2);
});
