import { judgePdf } from '../../src/pdf/judge-pdf.ts';
import {
  bent,
  miscount,
  miscounted,
  misindexed,
  misshapen,
  randomFrom,
  strangers,
} from '../resources/policies/hostile-structures.ts';
import { bytesOf, ONE_PAGE, pdfOf, written } from '../resources/policies/pdf-samples.ts';

const FAULT = { fault: expect.stringMatching(/^[A-Za-z0-9 ]+$/) as string };

/** Expects a valid verdict; some damage is undetectable, but then every page must be readable. */
async function expectJudged(bytes: Buffer): Promise<void> {
  const verdict = await judgePdf(bytes);
  expect(verdict).toEqual(verdict.fault === undefined ? { pageCount: expect.any(Number) as number } : FAULT);
}

describe.each([
  ['not a PDF', strangers],
  ['a PDF without pages', misshapen],
  ['a PDF with an unusable cross-reference table', misindexed],
  ['a PDF with a wrong page count', miscounted],
])('%s', (_kind, cases) => {
  test.each(cases)('%s has a fault', async (_case, make) => {
    expect(await judgePdf(make())).toEqual(FAULT);
  });
});

test.each([
  [500, 9000],
  [3000, 3100],
  [600, 601 + 100],
])('a PDF of %i pages whose page tree counts %i has a fault', async (pages, count) => {
  expect(await judgePdf(miscount(pages, count))).toEqual(FAULT);
});

test.each(bent)('a malformed PDF with %s has a fault or one page', async (_case, make) => {
  const verdict = await judgePdf(make());
  expect(verdict).toEqual(verdict.fault === undefined ? { pageCount: 1 } : FAULT);
});

// tests/rules/pdf-structure.test.ts truncates PDFs at every byte.
test.each([10, 50, 99])('a PDF truncated at %s %% has a fault', async (part) => {
  for (const bytes of [await bytesOf(await written(3)), await bytesOf(await written(3), false), pdfOf(ONE_PAGE)]) {
    expect(await judgePdf(bytes.subarray(0, Math.ceil((bytes.length * part) / 100)))).toEqual(FAULT);
  }
});

describe('an encrypted PDF', () => {
  const ciphers = ['AES-256', 'AES-128', 'RC4-128', 'RC4-40'] as const;
  const passwords = [{ userPassword: 'u' }, { ownerPassword: 'o' }, { userPassword: 'u', ownerPassword: 'o' }];

  test.each(ciphers.flatMap((algorithm) => passwords.map((given) => [algorithm, given] as const)))(
    'with %s and %j is reported as encrypted',
    async (algorithm, given) => {
      const document = await written(2);
      document.encrypt({ ...given, algorithm, allowWeakCryptography: true });
      expect(await judgePdf(await bytesOf(document))).toEqual({ fault: 'is encrypted' });
    },
  );
});

test.each(Array.from({ length: 40 }, (_, index) => index + 1))(
  'a PDF with flipped bits has a fault or is readable (seed %s)',
  async (seed) => {
    const random = randomFrom(seed);
    const bytes = await bytesOf(await written(3), seed % 2 === 0);
    for (let flips = 1 + Math.floor(random() * 20); flips > 0; flips--) {
      const at = Math.floor(random() * bytes.length);
      bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
    }
    await expectJudged(bytes);
  },
);
