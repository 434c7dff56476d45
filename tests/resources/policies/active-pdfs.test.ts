/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { expectRefused } from '../tenant-state.ts';
import { annotated, attaching, catalogued, LAUNCH, made, packed, PACKED_PAGE } from './active-samples.ts';
import { upload } from './upload-calls.ts';

// tests/rules/active-content.test.ts covers all kinds of active content.
test.each<[string, string, () => Buffer | Promise<Buffer>]>([
  [
    'starts a program when it is opened',
    'The file has a /Launch action, which starts a program; remove it.',
    () => catalogued(`/OpenAction${LAUNCH}`),
  ],
  [
    'starts a program from a stream of objects',
    'The file has a /Launch action, which starts a program; remove it.',
    () => packed([...PACKED_PAGE, LAUNCH]),
  ],
  [
    'runs a script',
    'The file has JavaScript, which runs when people open or use the file; remove it.',
    () => made((document) => document.addJavaScript('hello', 'app.alert("hello")')),
  ],
  [
    'has an attached program',
    'The file has an attached .exe file; only csv, docx, jpeg, jpg, json, ods, odp, odt, pdf, png, pptx, tex, tif, tiff, txt, xlsx, xml can be attached.',
    () => attaching('(setup.exe)', 'MZ\0'),
  ],
])('a PDF that %s returns 400 with the reason', async (_case, message, make) => {
  const { body } = await expectRefused(async () => upload(await make()), 400, 'invalid_file', ['body/file']);
  expect(body.error?.message).toBe(message);
});

test('a PDF with a link or an attached document is accepted', async () => {
  const link = '/Subtype/Link/A<</S/URI/URI(https://intranet.test/Launch)>>';
  for (const bytes of [annotated(link), attaching('(policy.odt)', 'PK\x03\x04')]) {
    expect(await upload(bytes)).toMatchObject({ status: 200 });
  }
});
