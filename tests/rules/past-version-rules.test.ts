import { isNewVersion, type PresentVersion, readPublishedAt } from '../../src/resources/policies/past-version-rules.ts';

const version = (year: number, major: number, more: Partial<PresentVersion> = {}): PresentVersion => ({
  ...{ major, minor: 0, name: 'Rules', publishedAt: `${year}-03-01T08:00:00.000Z`, sha256: `of ${year}` },
  ...{ isRecorded: true, isLive: false },
  ...more,
});
const live = version(2025, 5, { isLive: true });
const own = version(2025, 5, { isRecorded: false });
const codeOf = (past: PresentVersion, present: PresentVersion[]): unknown => {
  try {
    return isNewVersion(past, present);
  } catch (error) {
    const { code, details } = error as { code: string; details?: { field: string }[] };
    return [code, ...(details ?? []).map(({ field }) => field)];
  }
};

test.each<[string, PresentVersion, PresentVersion[], unknown]>([
  ['older than the live version', version(2021, 1), [live], true],
  ['between two recorded versions', version(2022, 2), [live, version(2021, 1), version(2023, 3)], true],
  ['with a higher number than a later version', version(2021, 4), [live, version(2022, 1)], true],
  ['that has already been recorded', version(2021, 1), [live, version(2021, 1)], false],
  ['that is the recorded live version', version(2025, 5), [live], false],
  ['without a live version', version(2021, 1), [], ['policy_not_live']],
  ['with the time of the live version', version(2025, 1), [live], ['invalid_request', 'body/publishedAt']],
  [
    'newer than the first version that the service published',
    version(2026, 1),
    [version(2027, 6, { isLive: true }), own],
    ['invalid_request', 'body/publishedAt'],
  ],
  [
    'with the time of another version',
    version(2021, 2),
    [live, version(2021, 1)],
    ['policy_version_taken', 'body/publishedAt'],
  ],
  [
    'with the number of another version',
    version(2022, 1),
    [live, version(2021, 1)],
    ['policy_version_taken', 'body/majorVersion'],
  ],
  ['with the number of the live version', version(2021, 5), [live], ['invalid_request', 'body/majorVersion']],
  ['with a higher minor number', version(2021, 5, { minor: 1 }), [live], ['invalid_request', 'body/majorVersion']],
  [
    'with another file',
    version(2021, 1, { sha256: 'x' }),
    [live, version(2021, 1)],
    ['policy_version_taken', 'body/publishedAt'],
  ],
])('a past version %s', (_, past, present, outcome) => {
  expect(codeOf(past, present)).toEqual(outcome);
});

test.each([
  ['2021-03-01T10:00:00.1239+02:00', '2021-03-01T08:00:00.123Z'],
  ['2020-02-29T08:00:00Z', '2020-02-29T08:00:00.000Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
])('%s is read as %s', (time, expected) => {
  expect(readPublishedAt(time, new Date('2026-01-01'))).toBe(expected);
});

test.each(['1969-12-31T23:59:59.999Z', '2026-01-01T00:00:00.001Z'])('%s is rejected', (time) => {
  expect(() => readPublishedAt(time, new Date('2026-01-01'))).toThrow('`body/publishedAt` must');
});
