import type { Scene } from '../../src/resources/courses/authored/course.ts';
import { findEnd, followPath, judgeScenes } from '../../src/resources/courses/authored/scenario.ts';

/** Builds scenes from lines such as `ring: a>lost b>name` and `lost: bad`. */
const scenesOf = (...lines: string[]): Scene[] =>
  lines.map((line) => {
    const [id, rest = ''] = line.split(/: ?/);
    const end = rest === 'good' || rest === 'bad' ? rest : null;
    const moves = end ? [] : rest.split(' ').filter(Boolean);
    return {
      ...{ id: id!, end },
      choices: moves.map((move) => {
        const [choice, to] = move.split('>');
        return { id: choice!, to: to! };
      }),
    };
  });
const faultsOf = (...lines: string[]) => {
  const faults: string[] = [];
  judgeScenes(scenesOf(...lines), (place, message) => faults.push(`${place}: ${message}`));
  return faults;
};
const CALL = ['ring: a>lost b>name', 'name: a>ring b>safe', 'lost: bad', 'safe: good'];

test('a path ends at the scene of its last choice, and shortens when it returns', () => {
  const scenes = scenesOf(...CALL);
  expect(followPath(scenes, [])).toMatchObject({ scene: { id: 'ring' }, path: [] });
  expect(followPath(scenes, ['b', 'b'])).toMatchObject({ scene: { id: 'safe' }, path: ['b', 'b'] });
  expect(followPath(scenes, ['b', 'a'])).toMatchObject({ scene: { id: 'ring' }, path: [] });
  expect(followPath(scenes, ['b', 'a', 'b'])).toMatchObject({ scene: { id: 'name' }, path: ['b'] });
  expect(followPath(scenes, ['x'])).toBeUndefined();
  expect(followPath(scenes, ['a', 'a'])).toBeUndefined();
  expect([findEnd(scenes, ['a']), findEnd(scenes, ['b', 'b']), findEnd(scenes, ['b'])]).toEqual(['bad', 'good', null]);
});

test.each<[string, string[], string[]]>([
  ['a loop with an exit has no faults', CALL, []],
  ['an unreachable scene is reported', [...CALL, 'attic: a>lost'], ['scenes/4: no choice leads to attic']],
  [
    'a dead end is reported',
    ['ring: a>lost b>name', 'name:', 'lost: bad', 'safe: good'],
    ['scenes/1: is a dead end: add choices or an end to name', 'scenes/3: no choice leads to safe'],
  ],
  [
    'a loop without an exit is reported at each of its scenes',
    ['ring: a>lost b>hold c>safe', 'hold: a>wait', 'wait: a>hold b>wait', 'lost: bad', 'safe: good'],
    ['scenes/1: no path from hold leads to an end', 'scenes/2: no path from wait leads to an end'],
  ],
  [
    'a choice of a missing scene is reported',
    ['ring: a>lost b>nowhere c>safe', 'lost: bad', 'safe: good'],
    ['scenes/0/choices/1/to: no scene has the id nowhere'],
  ],
  [
    'ids that occur twice are reported',
    ['ring: a>lost a>safe', 'lost: bad', 'safe: good', 'safe: good'],
    ['scenes/0/choices/1/id: another choice of ring has the same id, a', 'scenes/3/id: scene 2 has the same id, safe'],
  ],
  ['a missing bad end is reported', ['ring: a>safe', 'safe: good'], ['scenes: must have a bad end']],
])('%s', (_, lines, faults) => {
  expect(faultsOf(...lines)).toEqual(faults);
});
