import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, toFormFaults, NO_FAULTS, getFailureStatus } from '../form-faults.ts';
import { newFormName, type FieldValues } from '../../shared/parts/fields.ts';
import { questionContent, secretContent, sourcesContent, SOURCES_PATH } from './sources-page.ts';
import { sourcesMessages } from './sources-messages.ts';

const FIELDS = ['name', 'kind'] as const;

/** Adds the pages on which an admin creates and removes sources, and rotates their secrets. */
export function addSourcesPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/sources', (_req, res) => showSources(runs, res, {}));
  pages.post('/sources', async (req, res) => {
    const { caller, language } = getAdmin(res);
    const form = getForm(req);
    const typed = Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']));
    try {
      const body = typed as unknown as Schemas['CreateSourceInput'];
      showSecret(res, await runs.run('createSource', caller, { body }, form.get('once') ?? ''));
    } catch (thrown) {
      await showSources(runs, res, typed, {
        faults: toFormFaults(thrown, FIELDS, language),
        status: getFailureStatus(thrown),
      });
    }
  });
  pages.get('/sources/:sourceId/rotate', (req, res) => ask(runs, res, req.params.sourceId, 'rotate'));
  pages.post('/sources/:sourceId/rotate', async (req, res) => {
    const { sourceId } = req.params;
    const once = getForm(req).get('once') ?? '';
    showSecret(res, await runs.run('rotateSourceSecret', getAdmin(res).caller, { sourceId }, once));
  });
  pages.get('/sources/:sourceId/remove', (req, res) => ask(runs, res, req.params.sourceId, 'remove'));
  pages.post('/sources/:sourceId/remove', async ({ params: { sourceId } }, res) => {
    await runs.run('deleteSource', getAdmin(res).caller, { sourceId });
    res.redirect(303, SOURCES_PATH);
  });
}

interface Refused {
  faults: FormFaults;
  status: number;
}

async function showSources(runs: ConsoleRuns, res: Response, typed: FieldValues, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const { items: sources, isCut } = await runs.first('listSources', caller);
  const { faults, status } = refused ?? { faults: NO_FAULTS, status: 200 };
  const content = sourcesContent({ language, caller, formToken, once: newFormName(), sources, isCut, typed, faults });
  sendConsolePage(res, { status, title: sourcesMessages[language].title, content, width: 'wide' });
}

function showSecret(res: Response, source: Schemas['SourceWithSecret']): void {
  const { language } = getAdmin(res);
  sendConsolePage(res, { title: sourcesMessages[language].newTitle, content: secretContent(source, language) });
}

async function ask(runs: ConsoleRuns, res: Response, sourceId: string, action: 'rotate' | 'remove'): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, action === 'rotate' ? 'rotateSourceSecret' : 'deleteSource');
  const messages = sourcesMessages[language];
  for await (const source of runs.items('listSources', caller)) {
    if (source.id !== sourceId) continue;
    const content = questionContent({ source, action, formToken, once: newFormName() }, language);
    return sendConsolePage(res, { title: action === 'rotate' ? messages.rotateTitle : messages.removeTitle, content });
  }
  throw notFound('source');
}
