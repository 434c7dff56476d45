import { readFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { createLearner } from './calls.ts';
import { contract } from './check.ts';
import type { DemoService } from './demo-service.ts';

export interface HttpCall {
  method: string;
  path: string;
  body?: object | FormData;
}

/** Returns the calls that the programs make through their clients. */
export async function listProgramCalls(service: DemoService): Promise<HttpCall[]> {
  const learnerId = await createLearner(service, 'deleted-through-prism@acme-industries.test');
  const emails = ['created-through-prism@acme-industries.test', 'ada@gmail.com'];
  const learners = emails.map((email) => ({ email, firstName: 'Ada', lastName: 'Byron' }));
  const form = new FormData();
  form.append('file', await createAsciiPdf());
  return [
    ...['/policies', '/reports/learning', '/learners/nobody', '/learners/newer', '/simulations'].map(toRead),
    { method: 'POST', path: '/learners/bulk', body: { learners } },
    { method: 'POST', path: '/policies/upload', body: form },
    { method: 'DELETE', path: '/learners/bulk', body: { learnerIds: [learnerId] } },
  ];
}

/** Creates a PDF without bytes above 127, which Prism would change because it reads every upload as UTF-8. */
async function createAsciiPdf(): Promise<File> {
  const document = await PDFDocument.create();
  document.addPage();
  const pdf = Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1');
  return new File([pdf.replaceAll(/[\x80-\xff]/g, '%')], 'acceptable-use.pdf', { type: 'application/pdf' });
}

function toRead(path: string): HttpCall {
  return { method: 'GET', path };
}

/** Returns a call of each GET operation whose path can be filled with ids from lists. */
export async function listReads(service: DemoService): Promise<HttpCall[]> {
  const { paths } = JSON.parse(await readFile(contract, 'utf8')) as { paths: Record<string, object> };
  const templates = Object.keys(paths).filter((path) => 'get' in paths[path]!);
  const ids = await findIds(service, templates);
  const filled = templates.map((path) =>
    path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => ids.get(name) ?? parameter),
  );
  return filled.filter((path) => !path.includes('{')).map(toRead);
}

/** Returns the id of the first row of each list, by the name of its parameter: `learnerId` for /learners. */
async function findIds({ url, key }: DemoService, templates: string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const template of templates) {
    const [, list, parameter] = /^(\/[a-z-]+)\/\{(\w+)\}/.exec(template) ?? [];
    if (!list || !parameter || ids.has(parameter)) continue;
    const answer = await fetch(`${url}${list}`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    if (data.length > 0) ids.set(parameter, data[0]!.id);
  }
  return ids;
}
