import type { Request, Response, Router } from 'express';
import { notFound } from '../../../../contract/errors.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import { type Language, LANGUAGES } from '../../../../contract/languages.ts';
import { PAGE_ASSETS, pageHeaders } from '../../../../http/html/page.ts';
import { html, render } from '../../../../http/html/html.ts';
import { getForm } from '../../../../http/body/form.ts';
import { toIfMatch, toVersion } from '../../form-version.ts';
import { confirmation } from '../../../shared/parts/confirmation.ts';
import { hiddenFields, newFormName } from '../../../shared/parts/fields.ts';
import { mailPicture } from '../../../shared/parts/mail-picture.ts';
import { mailPictureMessages } from '../../../shared/parts/mail-picture-messages.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { canCall, getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS } from '../../form-faults.ts';
import {
  readTemplateForm,
  templateForm,
  type TemplateValues,
  toTemplateFaults,
  toTexts,
  toTyped,
} from './template-form.ts';
import { listContent, templateContent, TEMPLATES_PATH } from './templates-page.ts';
import { templatesMessages } from './templates-messages.ts';

type Template = Schemas['SimulationTemplate'];

/** The message keeps the styles of its elements, which the template's check allows; none can load anything. */
const WITH_STYLES = { 'style-src-attr': "'unsafe-inline'" };
/** The frame runs no script, so it can keep its origin; without it, the frame could not load a style sheet. */
const FRAMED = pageHeaders({
  formAction: "'none'",
  referrerPolicy: 'no-referrer',
  also: { ...WITH_STYLES, 'frame-ancestors': "'self'", sandbox: 'allow-same-origin' },
});

/** Adds the pages of simulation templates: the list with pictures, a template with its cues, and the forms. */
export function addTemplatesPages(pages: Router, runs: ConsoleRuns): void {
  const on = (path: string) => `/simulations/templates${path}`;
  pages.get(on(''), (req, res) => showList(runs, req, res));
  pages.get(on('/new'), (req, res) => showNewForm(runs, req, res));
  pages.post(on('/new'), (req, res) => create(runs, req, res));
  pages.get(on('/:templateId'), (req, res) => showTemplate(runs, req, res));
  pages.get(on('/:templateId/picture'), (req, res) => sendPicture(runs, req, res));
  pages.get(on('/:templateId/edit'), async (req, res) => {
    requireCall(getAdmin(res).caller, 'updateSimulationTemplate');
    const template = await getTemplate(runs, req, res);
    const locale = toLocale(req.query.locale) ?? getAdmin(res).language;
    const texts = template.content.find((one) => one.locale === locale);
    showEditForm(res, template, {
      locale,
      version: toVersion(template),
      typed: toTyped(template, texts),
      faults: NO_FAULTS,
    });
  });
  pages.post(on('/:templateId/edit'), (req, res) => update(runs, req, res));
  for (const [action, retired] of [
    ['retire', true],
    ['restore', false],
  ] as const) {
    pages.post(on(`/:templateId/${action}`), async (req, res) => {
      const simulationTemplateId = req.params.templateId as string;
      await runs.run('updateSimulationTemplate', getAdmin(res).caller, { simulationTemplateId, body: { retired } });
      redirectWithNotice(res, `${TEMPLATES_PATH}/${simulationTemplateId}`, retired ? 'retired' : 'restored');
    });
  }
  pages.get(on('/:templateId/delete'), (req, res) => askToDelete(runs, req, res));
  pages.post(on('/:templateId/delete'), async (req, res) => {
    const simulationTemplateId = req.params.templateId as string;
    const { retiredAt } = await runs.run('deleteSimulationTemplate', getAdmin(res).caller, { simulationTemplateId });
    redirectWithNotice(res, TEMPLATES_PATH, retiredAt === null ? 'removed' : 'retired');
  });
}

function toLocale(value: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === value);
}

function getTemplate(runs: ConsoleRuns, req: Request, res: Response): Promise<Template> {
  const simulationTemplateId = req.params.templateId as string;
  return runs.run('getSimulationTemplate', getAdmin(res).caller, { simulationTemplateId });
}

const FILTERS = ['deliveryMethod', 'difficulty', 'locale', 'includeRetired'];

async function showList(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const filter = Object.fromEntries(FILTERS.map((name) => [name, toText(req.query[name])]));
  const { deliveryMethod, difficulty, locale, includeRetired } = filter;
  const messages = templatesMessages[language];
  const input = {
    ...(deliveryMethod! in messages.methods && { deliveryMethod: deliveryMethod as 'email' }),
    ...(/^[1-5]$/.test(difficulty!) && { difficulty: Number(difficulty) }),
    ...(toLocale(locale) && { locale: toLocale(locale)! }),
    ...(includeRetired === 'true' && { includeRetired: true }),
  };
  const cursor = toText(req.query.cursor);
  const { items, nextCursor } = await runs.page('listSimulationTemplates', caller, input, cursor || undefined);
  const toHref = (more: Record<string, string>) =>
    `${TEMPLATES_PATH}?${new URLSearchParams({ ...filter, ...more }).toString()}`;
  const content = listContent({
    ...{ language, templates: items, filter, canWrite: canCall(caller, 'createSimulationTemplate') },
    next: nextCursor === null ? undefined : toHref({ cursor: nextCursor }),
    first: cursor === '' ? undefined : toHref({}),
    notice: renderNotice(req, messages.notices),
  });
  sendConsolePage(res, { title: messages.title, content, width: 'wide', also: { 'frame-src': "'self'" } });
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

async function showTemplate(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const template = await getTemplate(runs, req, res);
  const locale = [toLocale(req.query.locale), language].find((one) => one && template.locales.includes(one));
  const picture = await runs.run('getSimulationTemplatePicture', caller, {
    simulationTemplateId: template.id,
    ...(locale && { locale }),
  });
  const content = templateContent({
    ...{ language, formToken, template, picture },
    canPlan: canCall(caller, 'createSimulation') && template.retiredAt === null,
    canWrite: canCall(caller, 'updateSimulationTemplate'),
    canDelete: canCall(caller, 'deleteSimulationTemplate'),
    notice: renderNotice(req, templatesMessages[language].notices),
  });
  sendConsolePage(res, { title: template.name, content, width: 'wide', also: WITH_STYLES });
}

/** Sends only the message, for a frame in the list. The message has no marks, so nothing in it can be focused. */
async function sendPicture(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const template = await getTemplate(runs, req, res);
  const locale = template.locales.includes(language) ? { locale: language } : {};
  const picture = await runs.run('getSimulationTemplatePicture', caller, {
    simulationTemplateId: template.id,
    ...locale,
  });
  const mail = mailPicture(picture, { messages: mailPictureMessages[language], language: picture.locale as Language });
  const document = html`<html lang=${language}>
    <head>
      <meta charset="utf-8" />
      <title>${template.name}</title>
      <link rel="stylesheet" href=${PAGE_ASSETS[0]!.path} />
    </head>
    <body class="thumbnail">
      ${mail}
    </body>
  </html>`;
  const plain = render(document).replaceAll(/<sup><a [^>]*>\d+<\/a><\/sup>|<\/?mark\b[^>]*>/g, '');
  res.set(FRAMED).send(`<!doctype html>${plain}`);
}

async function showNewForm(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'createSimulationTemplate');
  const from = toText(req.query.from);
  const locale = toLocale(req.query.locale) ?? language;
  const source =
    from === '' ? undefined : await runs.run('getSimulationTemplate', caller, { simulationTemplateId: from });
  const typed = source
    ? toTyped(
        source,
        source.content.find((texts) => texts.locale === locale),
      )
    : { difficulty: '2' };
  sendNewForm(res, locale, typed);
}

function sendNewForm(
  res: Response,
  locale: Language,
  typed: TemplateValues,
  refused?: { faults: FormFaults; status: number; once: string },
): void {
  const { formToken, language } = getAdmin(res);
  const { faults, status, once } = refused ?? { faults: NO_FAULTS, status: 200, once: newFormName() };
  const action = `${TEMPLATES_PATH}/new`;
  const content = templateForm({ language, formToken, once, version: undefined, action, locale, typed, faults });
  sendConsolePage(res, { status, title: templatesMessages[language].newTitle, content });
}

async function create(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const [typed, locale] = [readTemplateForm(form), toLocale(form.get('locale')) ?? language];
  const { name, deliveryMethod, difficulty } = typed;
  const facts = { name, deliveryMethod: deliveryMethod as 'email', difficulty: Number(difficulty) };
  try {
    const body = { ...facts, content: [toTexts(typed, locale)] };
    const { id } = await runs.run('createSimulationTemplate', caller, { body }, form.get('once') ?? '');
    redirectWithNotice(res, `${TEMPLATES_PATH}/${id}`, 'created');
  } catch (thrown) {
    const refused = {
      faults: toTemplateFaults(thrown, language),
      status: getFailureStatus(thrown),
      once: newFormName(),
    };
    sendNewForm(res, locale, typed, refused);
  }
}

interface Edited {
  locale: Language;
  version: string;
  typed: TemplateValues;
  faults: FormFaults;
  status?: number;
}

function showEditForm(res: Response, { id, name }: Template, { status = 200, ...edited }: Edited): void {
  const { formToken, language } = getAdmin(res);
  const action = `${TEMPLATES_PATH}/${id}/edit`;
  const content = templateForm({ language, formToken, once: undefined, action, ...edited });
  sendConsolePage(res, { status, title: templatesMessages[language].editTitle(name), content });
}

/** Replaces the texts of one language. The other languages are unchanged. */
async function update(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const typed = readTemplateForm(form);
  const [locale, version] = [toLocale(form.get('locale')) ?? language, form.get('version') ?? ''];
  const template = await getTemplate(runs, req, res);
  const ownTexts = toTexts({ ...typed, deliveryMethod: template.deliveryMethod }, locale);
  const stored = template.content.map(
    ({ attachment, ...one }) => ({ ...one, ...(attachment && { attachment }) }) as typeof ownTexts,
  );
  const isNew = stored.every((one) => one.locale !== locale);
  const texts = isNew ? [...stored, ownTexts] : stored.map((one) => (one.locale === locale ? ownTexts : one));
  try {
    const body = { name: typed.name, difficulty: Number(typed.difficulty), content: texts };
    const input = { simulationTemplateId: template.id, body, ifMatch: toIfMatch(version) };
    await runs.run('updateSimulationTemplate', caller, input);
    redirectWithNotice(res, `${TEMPLATES_PATH}/${template.id}?locale=${locale}`, 'saved');
  } catch (thrown) {
    const faults = toTemplateFaults(thrown, language);
    showEditForm(res, template, { locale, version, typed, faults, status: getFailureStatus(thrown) });
  }
}

async function askToDelete(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, 'deleteSimulationTemplate');
  const { id, name, source } = await getTemplate(runs, req, res);
  if (source !== 'custom') throw notFound('page');
  const messages = templatesMessages[language];
  const content = confirmation({
    about: messages.removeAbout(name),
    action: `${TEMPLATES_PATH}/${id}/delete`,
    hidden: hiddenFields(formToken),
    button: messages.remove,
    keep: { href: `${TEMPLATES_PATH}/${id}`, text: messages.keep },
  });
  sendConsolePage(res, { title: messages.removeTitle, content });
}
