import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import {
  checkField,
  type FieldValues,
  formFault,
  hiddenFields,
  newFormName,
  selectField,
  textField,
} from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { type ReportButtonPageMessages, reportButtonPageMessages } from './report-button-messages.ts';

const BUTTON_PATH = '/console/report-button';
const DEFAULT_OVERLAP_HOURS = '168';

type Button = Schemas['ReportButton'];

/** Adds the page on which a company enables its report button and gets the files for Outlook. */
export function addReportButtonPage(pages: Router, runs: ConsoleRuns): void {
  pages.get('/report-button', async (req, res) => {
    const button = await runs.run('getReportButton', getAdmin(res).caller, {});
    const typed = { enabled: button.enabled ? 'yes' : '', forwardTo: button.forwardTo ?? '' };
    show(req, res, { button, typed, faults: NO_FAULTS, status: 200 });
  });
  pages.post('/report-button', (req, res) => save(runs, req, res));
  pages.get('/report-button/rotate', (_req, res) => askForRotation(res));
  pages.post('/report-button/rotate', async (req, res) => {
    const form = getForm(req);
    const body = { overlapHours: Number(form.get('overlapHours') ?? DEFAULT_OVERLAP_HOURS) };
    await runs.run('rotateReportButton', getAdmin(res).caller, { body }, form.get('once') ?? '');
    redirectWithNotice(res, BUTTON_PATH, 'rotated');
  });
}

async function save(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const typed = { enabled: form.get('enabled') ?? '', forwardTo: (form.get('forwardTo') ?? '').trim() };
  try {
    const body = { enabled: typed.enabled === 'yes', forwardTo: typed.forwardTo || null };
    await runs.run('replaceReportButton', caller, { body });
    redirectWithNotice(res, BUTTON_PATH, 'saved');
  } catch (thrown) {
    const faults = toFormFaults(thrown, ['forwardTo'], language);
    const { forwardToFault } = reportButtonPageMessages[language];
    const fields: FieldValues = 'forwardTo' in faults.fields ? { forwardTo: forwardToFault } : {};
    const button = await runs.run('getReportButton', caller, {});
    show(req, res, { button, typed, faults: { ...faults, fields }, status: getFailureStatus(thrown) });
  }
}

function askForRotation(res: Response): void {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, 'rotateReportButton');
  const { rotate, rotateAbout, rotateButton, overlap, overlaps, keep } = reportButtonPageMessages[language];
  const options = [DEFAULT_OVERLAP_HOURS, '720', '24', '0'].map((hours) => [hours, overlaps[hours]!] as const);
  const content = confirmation({
    ...{ about: rotateAbout, action: `${BUTTON_PATH}/rotate`, hidden: hiddenFields(formToken, newFormName()) },
    fields: selectField({ name: 'overlapHours', label: overlap, options }, {}, {}),
    ...{ button: rotateButton, keep: { href: BUTTON_PATH, text: keep } },
  });
  sendConsolePage(res, { title: rotate, content });
}

interface Shown {
  button: Button;
  typed: FieldValues;
  faults: FormFaults;
  status: number;
}

function show(req: Request, res: Response, { button, typed, faults, status }: Shown): void {
  const { caller, formToken, language } = getAdmin(res);
  const messages = reportButtonPageMessages[language];
  const { enabled, forwardTo, forwardToHint } = messages;
  const address = { name: 'forwardTo', label: forwardTo, hint: forwardToHint, also: { type: 'email' } };
  const content = html`
    ${renderNotice(req, messages.notices)}
    <p>${messages.about}</p>
    ${
      canCall(caller, 'replaceReportButton')
        ? html`<form method="post" action=${BUTTON_PATH}>
            ${hiddenFields(formToken)} ${formFault(faults.whole)}
            ${checkField({ name: 'enabled', label: enabled }, typed)} ${textField(address, typed, faults.fields)}
            <button type="submit">${messages.save}</button>
          </form>`
        : readings(button, messages)
    }
    ${files(button, res)}
    ${apiCalls(
      [
        { operationId: 'getReportButton' },
        { operationId: 'replaceReportButton' },
        { operationId: 'rotateReportButton' },
      ],
      language,
    )}
  `;
  sendConsolePage(res, { status, title: messages.title, content });
}

/** Renders the setting for a role that cannot change it. */
function readings({ enabled, forwardTo }: Button, messages: ReportButtonPageMessages): Html {
  return facts([
    [messages.state, enabled ? messages.on : messages.off],
    [messages.forwardTo, html`<bdi>${forwardTo ?? messages.notSet}</bdi>`],
  ]);
}

/** Renders the files for Outlook and Gmail, and the steps to deploy them; null while the button is disabled. */
function files({ tokenCreatedAt, previousTokenExpiresAt, outlook, gmail }: Button, res: Response): Html | null {
  if (!outlook || !gmail) return null;
  const { caller, language } = getAdmin(res);
  const messages = reportButtonPageMessages[language];
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  const date = (time: string) => html`<time datetime=${time}>${format.format(new Date(time))}</time>`;
  // The URLs are paths of this service.
  const download = (url: string, text: string) => html`<a href=${new URL(url).pathname} download>${text}</a>`;
  return html`
    <h2>${messages.addresses}</h2>
    <ul>
      <li>${download(outlook.xmlManifestUrl, messages.manifest)}</li>
      <li>${download(outlook.appPackageUrl, messages.appPackage)}</li>
      <li>${download(gmail.deploymentUrl, messages.deployment)}</li>
    </ul>
    <p class="hint">${messages.internal}</p>
    ${facts([
      tokenCreatedAt !== null && [messages.tokenCreatedAt, date(tokenCreatedAt)],
      previousTokenExpiresAt !== null && [messages.previousUntil, date(previousTokenExpiresAt)],
    ])}
    ${canCall(caller, 'rotateReportButton') && html`<p><a href=${`${BUTTON_PATH}/rotate`}>${messages.rotate}</a></p>`}
    <h2>${messages.deploy}</h2>
    ${steps(messages.steps)}
    <h2>${messages.deployGmail}</h2>
    ${steps(messages.gmailSteps)}
  `;
}

function steps(texts: readonly string[]): Html {
  return html`<ol>
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ol>`;
}
