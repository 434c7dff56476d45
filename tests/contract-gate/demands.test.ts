import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, readAccepted } from '../../contract-gate/src/accepted-breaks.ts';
import { compare } from '../../contract-gate/src/compare.ts';
import { checkVersion } from '../../contract-gate/src/version.ts';
import { copied, libraryContract } from './support/library-contract.ts';

const parameters = '#/paths/~1books/get/parameters';
const announced = { since: '2026-01-10', sunset: '2026-07-10' };

describe('an accepted break', () => {
  const entry = { rule: 'parameter-removed', reason: 'Nobody sends it any more.', date: '2026-11-21' };
  const deprecated = { ...entry, pointer: `${parameters}/4`, what: '`old` query parameter was removed.' };
  const plain = { ...entry, pointer: `${parameters}/0`, what: '`genre` query parameter was removed.' };

  test.each([
    ['that cites its deprecation', 4, { ...deprecated, deprecation: announced }],
    ['that explains why there was no deprecation', 0, { ...plain, noDeprecation: 'It never worked at all.' }],
    [
      'before its sunset, with an explanation',
      4,
      { ...deprecated, date: '2026-03-01', noDeprecation: 'It leaks what it must not.' },
    ],
  ])('%s is accepted', (_case, index, accepted) => {
    const breaks = breaksWithout(index);
    expect(judge(breaks, [accepted], accepted.date)).toEqual({
      accepted: new Map([[breaks[0], accepted]]),
      refused: [],
    });
  });

  test.each([
    [
      'that matches no break',
      0,
      { ...plain, pointer: '#/x', what: 'It is gone.', noDeprecation: 'It never worked.' },
      'no longer matches a break',
    ],
    [
      'at a wrong location',
      0,
      { ...plain, pointer: '#/x', noDeprecation: 'It never worked.' },
      `is at the wrong pointer; the break is at ${parameters}/0`,
    ],
    [
      'with another rule',
      0,
      { ...plain, rule: 'operation-removed', noDeprecation: 'It never worked.' },
      'differs from the break at its pointer, which is parameter-removed (`genre` query parameter was removed.)',
    ],
    [
      'with another change at its location',
      0,
      { ...plain, what: '`genre` query parameter was renamed.', noDeprecation: 'It never worked.' },
      'differs from the break at its pointer, which is parameter-removed',
    ],
    [
      'that omits its deprecation',
      4,
      { ...deprecated, noDeprecation: 'No time for that.' },
      'must cite its deprecation { since: 2026-01-10, sunset: 2026-07-10 }',
    ],
    [
      'that cites a deprecation that was never announced',
      0,
      { ...plain, deprecation: announced },
      'cites a deprecation that the base does not announce',
    ],
    [
      'that cites other dates',
      4,
      { ...deprecated, deprecation: { since: '2026-01-10', sunset: '2026-02-10' } },
      'must cite the deprecation of the base',
    ],
    [
      'before its sunset',
      4,
      { ...deprecated, date: '2026-07-09', deprecation: announced },
      'comes before its sunset 2026-07-10',
    ],
  ])('%s is rejected', (_case, index, accepted, objection) => {
    const judged = judge(breaksWithout(index), [accepted], accepted.date);
    expect(judged.accepted.size).toBe(0);
    expect(judged.refused).toEqual([expect.stringContaining(objection)]);
  });

  test.each([
    ['that is dated before the sunset', '2026-07-10', 'comes before its sunset 2026-07-10'],
    ['dated in the future', '2026-07-11', 'is dated 2026-07-11, which is in the future'],
  ])('%s is rejected', (_case, date, objection) => {
    const today = '2026-07-09';
    const entry = { ...deprecated, date: date > '2026-07-10' ? date : today, deprecation: announced };
    expect(judge(breaksWithout(4), [entry], today).refused).toEqual([expect.stringContaining(objection)]);
  });

  test('that is listed twice is rejected once', () => {
    const entry = { ...plain, noDeprecation: 'It never worked.' };
    const { accepted, refused } = judge(breaksWithout(0), [entry, { ...entry }], entry.date);
    expect(accepted.size).toBe(1);
    expect(refused).toEqual([expect.stringContaining('is listed twice')]);
  });

  const lines = {
    rule: 'parameter-removed',
    pointer: "'#/x'",
    what: 'It was removed.',
    reason: 'Nobody sends it.',
    date: '2026-11-21',
    noDeprecation: 'It never worked.',
  };

  test.each(['rule', 'pointer', 'what', 'reason', 'date'] as const)(
    'without %s is rejected with that name',
    async (name) => {
      await expect(read({ ...lines, [name]: undefined })).rejects.toThrow(
        `entry 1 must have required property '${name}'`,
      );
    },
  );

  test.each([
    [
      'neither deprecation nor noDeprecation',
      { noDeprecation: undefined },
      'entry 1 needs either deprecation (since, sunset) or noDeprecation',
    ],
    ['both', { deprecation: '{ since: 2026-01-01, sunset: 2026-02-01 }' }, 'entry 1 needs either'],
    [
      'a deprecation without its sunset',
      { noDeprecation: undefined, deprecation: '{ since: 2026-01-01 }' },
      "entry 1, deprecation must have required property 'sunset'",
    ],
    ['an invalid date', { date: '2026-02-30' }, 'entry 1, date must match format "date"'],
    ['a reason that is too short', { reason: 'Because' }, 'entry 1, reason must NOT have fewer than 10 characters'],
    ['an unknown field', { why: 'It had to be.' }, 'entry 1 must NOT have additional properties (why)'],
  ])('with %s is rejected', async (_case, change, message) => {
    await expect(read({ ...lines, ...change })).rejects.toThrow(message);
  });

  test('that is complete is read, and a missing file has no entries', async () => {
    expect(await read(lines)).toEqual([{ ...lines, pointer: '#/x' }]);
    expect(await readAccepted('/nowhere/accepted-breaks.yaml')).toEqual([]);
  });
});

const UNTOLD = 'CHANGELOG.md does not mention it';

describe('the version', () => {
  const breaks = (contract: any) => contract.paths['/books'].get.parameters.splice(0, 1);
  const adds = (contract: any) => (contract.components.schemas.Book.properties.year = { type: 'integer' });
  const says = (contract: any) => (contract.info.description = 'Books and shelves.');

  test.each([
    ['a breaking change', '1.4.0', '2.0.0', breaks],
    ['an addition', '1.4.2', '1.5.0', adds],
    ['a breaking change below 1.0.0', '0.4.2', '0.5.0', breaks],
    ['an addition below 1.0.0', '0.4.2', '0.4.3', adds],
    ['a change of wording', '1.4.0', '1.4.0', says],
  ])('required by %s: %s to %s', (_case, before, needed, edit) => {
    expect(versions(before, needed, edit, `- Contract ${needed}: it.`).refused).toEqual([]);
    expect(versions(before, needed, edit, `- Contract ${needed}: it.`).needed).toBe(needed);
    if (needed === before) return;
    const behind = versions(before, before, edit, '');
    expect(behind.refused).toEqual([
      expect.stringMatching(`^info.version is ${before}, but an? .* needs at least ${needed} `),
      expect.stringContaining(
        `CHANGELOG.md does not mention it: a heading or an item must begin with “Contract ${needed}”`,
      ),
    ]);
  });

  test.each([
    ['a version higher than needed', '1.4.0', '3.0.0', '- Contract 3.0.0: all new.', []],
    ['a heading', '1.4.0', '2.0.0', '## Contract 2.0.0', []],
    ['a heading that ends with the contract', '1.4.0', '2.0.0', '### Books (SCIM contract 1.0.0, Contract 2.0.0)', []],
    ['a sentence', '1.4.0', '2.0.0', 'The Contract 2.0.0 is out.', [UNTOLD]],
    ['no line', '1.4.0', '2.0.0', '- 2.0.0 of something else', [UNTOLD]],
    ['the line of another contract', '1.4.0', '2.0.0', '- SCIM Contract 2.0.0: all new.', [UNTOLD]],
    ['a heading of another contract', '1.4.0', '2.0.0', '### All new (SCIM contract 2.0.0)', [UNTOLD]],
    ['a line of a longer version', '1.4.0', '2.0.0', '- Contract 2.0.01: it', [UNTOLD]],
    ['a line of a pre-release', '1.4.0', '2.0.0', '- Contract 2.0.0-beta.1: it', [UNTOLD]],
    ['a lower version', '1.4.0', '1.3.0', '- Contract 1.3.0', ['info.version is 1.3.0', UNTOLD]],
    ['no version', '1.4.0', 'two', '- Contract two', ['info.version two is not a semantic version']],
  ])('with %s', (_case, before, after, changelog, refused) => {
    const checked = versions(before, after, breaks, changelog);
    expect(checked.refused).toEqual(refused.map((words) => expect.stringContaining(words)));
  });
});

function breaksWithout(index: number) {
  const head = libraryContract();
  head.paths['/books'].get.parameters.splice(index, 1);
  return compare(libraryContract(), head).breaking;
}

function versions(before: string, after: string, edit: (contract: any) => void, changelog: string) {
  const base = libraryContract();
  base.info.version = before;
  const head = copied(base);
  head.info.version = after;
  edit(head);
  const content = `# Changelog\n\n${changelog}\n`;
  return checkVersion(base, head, compare(base, head), { path: 'CHANGELOG.md', content, name: 'Contract' });
}

async function read(lines: Record<string, string | undefined>) {
  const folder = await mkdtemp(join(tmpdir(), 'accepted-'));
  const path = join(folder, 'accepted-breaks.yaml');
  const said = Object.entries(lines).filter(([, value]) => value !== undefined);
  await writeFile(path, `- ${said.map(([name, value]) => `${name}: ${value}`).join('\n  ')}\n`);
  return readAccepted(path).finally(() => rm(folder, { recursive: true }));
}
