/** @jest-environment-options {"TEST_DATABASE": "demo"} */
import { createHash } from 'node:crypto';
import { extractText } from 'unpdf';
import { createPdf } from '../../seeds/demo-pdf.ts';
import { DEMO_TEXTS, type TextName } from '../../seeds/demo-texts.ts';
import { inspectPdf } from '../../src/pdf/inspect-pdf.ts';

interface Stored {
  sha: string;
  content: Buffer;
  size_bytes: number;
  page_count: number;
  /** Name of the company; null for the managed catalogue. */
  issuer: string | null;
  /** Name of the policy with this file as a version, and the number of the version. */
  policy: string | null;
  number: string | null;
  from_template: boolean;
}

let files: Stored[];

beforeAll(async () => {
  files = (await testService.query(`
    select encode(f.sha256, 'hex') as sha, content, size_bytes, page_count, c.name as issuer, v.name as policy,
           v.major_version || '.' || v.minor_version as number,
           exists (select from policy_templates t join policy_files o on o.company_id = t.company_id and o.id = t.file_id
                    where o.sha256 = f.sha256) as from_template
      from policy_files f
      join file_contents using (company_id, sha256)
      left join companies c on c.id = f.company_id
      left join policy_versions v on v.company_id = f.company_id and v.file_id = f.id`)) as unknown as Stored[];
});

/** Returns the text of all pages, with single spaces. */
async function textOf(content: Uint8Array): Promise<string> {
  const { text } = await extractText(new Uint8Array(content), { mergePages: true });
  return text.replace(/\s+/g, ' ');
}

test('every file of the demo is a valid PDF with the size and pages of its row', async () => {
  expect(files.length).toBeGreaterThan(30);
  for (const { sha, content, size_bytes } of files) {
    expect(content.length).toBe(size_bytes);
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha);
  }
  const waiting = [...new Map(files.map((file) => [file.sha, file])).values()];
  const inspect = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const { sha, content, page_count } = file;
      expect({ sha, ...(await inspectPdf(content, sha)) }).toEqual({ sha, pageCount: page_count });
    }
  };
  await Promise.all([inspect(), inspect()]);
  expect(new Set(files.map(({ page_count }) => page_count))).toEqual(new Set([1, 2, 3]));
});

test('every file is used, so that purging deletes none, and every content has a file', async () => {
  await testService.query('select purge_files()');
  const left = await testService.query('select sha256 from policy_files');
  expect(left).toHaveLength(files.length);
  const unused = await testService.query(
    `select encode(sha256, 'hex') from file_contents c
      where not exists (select from policy_files f where f.company_id = c.company_id and f.sha256 = c.sha256)`,
  );
  expect(unused).toEqual([]);
});

test("a policy's own file names the company and the version in its footer", async () => {
  const own = files.filter(({ policy, from_template }) => policy !== null && !from_template);
  expect(own.length).toBeGreaterThanOrEqual(10);
  for (const { content, issuer, number } of own)
    expect(await textOf(content)).toContain(`${issuer} · Version ${number} ·`);
  const managed = files.filter(({ issuer }) => issuer === null);
  for (const { content } of managed) expect(await textOf(content)).toMatch(/Policy library · Version \d\.\d · 202/);
});

test.each(Object.keys(DEMO_TEXTS) as TextName[])('the text %s is printed completely', async (name) => {
  const { content } = await createPdf({ texts: [name], issuer: 'Acme', version: '1.0', date: '2026-01-05T00:00:00Z' });
  const printed = await textOf(content);
  const { title, paragraphs } = DEMO_TEXTS[name];
  for (const text of [title, ...paragraphs]) expect(printed).toContain(text);
});

test('a document has the same bytes each time, and different ones for another date or version', async () => {
  const print = { texts: ['incidents.en', 'incidents.de'] as TextName[], issuer: 'Acme', version: '1.0' };
  const date = '2026-01-05T00:00:00Z';
  const [first, second, later, newer] = await Promise.all([
    createPdf({ ...print, date }),
    createPdf({ ...print, date }),
    createPdf({ ...print, date: '2026-01-06T00:00:00Z' }),
    createPdf({ ...print, date, version: '1.1' }),
  ]);
  expect(first).toEqual(second);
  expect(first.pageCount).toBe(2);
  expect(first.content.equals(later.content) || first.content.equals(newer.content)).toBe(false);
});

test('text that is too long for a page continues on the next', async () => {
  const news = 'One more sentence that says the same again. '.repeat(120).trim();
  const print = {
    texts: ['clean-desk.en'] as TextName[],
    issuer: 'Acme',
    version: '1.0',
    date: '2026-01-05T00:00:00Z',
  };
  const { content, pageCount } = await createPdf({ ...print, news });
  expect(pageCount).toBeGreaterThanOrEqual(2);
  expect(await inspectPdf(content, 'anybody')).toEqual({ pageCount });
  expect((await textOf(content)).match(/One more sentence/g)).toHaveLength(120);
});
