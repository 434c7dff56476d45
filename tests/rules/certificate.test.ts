import { jest } from '@jest/globals';
import { PDFDocument } from '@cantoo/pdf-lib';
import PDFKit from 'pdfkit';
import { certificatePdf } from '../../src/pages/learn/certificates/certificate-pdf.ts';
import { LANGUAGES } from '../../src/contract/languages.ts';
import {
  createNumber,
  formatNumber,
  lastValidDay,
  readNumber,
} from '../../src/resources/courses/certificates/certificate-rules.ts';

const printed = {
  ...({ language: 'en', holder: 'Ada Lovelace', companyName: 'Acme & Söhne', courseName: 'A <b>course</b>' } as const),
  ...{
    finishDate: '2026-05-04',
    validUntil: null,
    issuedAt: '2026-05-04T10:00:00.000Z',
    address: 'https://awareness.test/certificates/x',
  },
};

test('readNumber ignores grouping, case and look-alike letters', () => {
  const number = createNumber();
  for (const typed of [number, formatNumber(number), ` ${formatNumber(number).toLowerCase()} `]) {
    expect(readNumber(typed)).toBe(number);
  }
  expect(readNumber('OOOOO-IIIII-LLLLL-00000')).toBe('00000111111111100000');
  expect(new Set(Array.from({ length: 100 }, createNumber)).size).toBe(100);
});

test.each(['', '0'.repeat(19), '0'.repeat(21), 'U'.repeat(20), 'é'.repeat(20)])('%j is not a number', (typed) => {
  expect(readNumber(typed)).toBeUndefined();
});

test.each([
  ['2026-05-04', 12, '2027-05-04'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2026-05-04', null, null],
])('a certificate of %s for %s months is valid until %s', (finishDate, months, lastDay) => {
  expect(lastValidDay(finishDate, months)).toBe(lastDay);
});

test.each(LANGUAGES)('the certificate in %s has one page for names in any script', async (language) => {
  for (const holder of ['Łukasz Ñandú', 'Σωκράτης Владимир', '王小明 שלום 😀 \u0000', 'Ж'.repeat(200), '']) {
    const pdf = await certificatePdf({
      ...printed,
      shownNumber: formatNumber(createNumber()),
      language,
      holder,
      validUntil: '2027-05-04',
    });
    const document = await PDFDocument.load(pdf);
    expect([document.getPageCount(), document.getLanguage()]).toEqual([1, language]);
  }
});

test('a certificate whose print failed can be printed again', async () => {
  const certificate = { ...printed, shownNumber: formatNumber(createNumber()) };
  const end = jest.spyOn(PDFKit.prototype, 'end').mockImplementationOnce(() => {
    throw new Error('no memory');
  });
  await expect(certificatePdf(certificate)).rejects.toThrow('no memory');
  expect((await certificatePdf(certificate)).subarray(0, 5).toString()).toBe('%PDF-');
  end.mockRestore();
});
