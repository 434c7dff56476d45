import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { ActOnUpload } from '../../../http/html/form-upload.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import {
  checkField,
  type FieldValues,
  fileField,
  formFault,
  hiddenFields,
  textField,
} from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { toIfMatch, toVersion } from '../form-version.ts';
import type { AddUpload } from '../uploads.ts';
import { type BrandingMessages, brandingMessages } from './branding-messages.ts';

const BRANDING_PATH = '/console/branding';
const TEXTS = ['name', 'color', 'replyTo'] as const;
const FIELDS = [...TEXTS, 'logo'] as const;
/**
 * Maximum size in bytes of a file that is passed on to the operation. The operation has a lower limit and rejects
 * larger files itself.
 */
const MAX_FILE_BYTES = 65_538;

type Branding = Schemas['CompanyBranding'];
type Changes = Schemas['UpdateCompanyBrandingInput'];

/** Adds the form with the logo, which is received before other forms. */
export function addBrandingUpload(addUpload: AddUpload, runs: ConsoleRuns): void {
  addUpload('/branding', (req, res, form) => save(runs, req, res, form));
}

/** Adds the page on which an admin sets how people see the company. */
export function addBrandingPage(pages: Router, runs: ConsoleRuns): void {
  pages.get('/branding', async (req, res) => {
    const branding = await runs.run('getCompanyBranding', getAdmin(res).caller, {});
    show(req, res, { branding, typed: toValues(branding), faults: NO_FAULTS, status: 200 });
  });
}

function toValues(branding: Branding): FieldValues {
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, branding[name] ?? ''])),
    version: toVersion(branding),
  };
}

async function save(runs: ConsoleRuns, ...[req, res, form]: Parameters<ActOnUpload>): Promise<void> {
  const { caller, language } = getAdmin(res);
  const fields = form instanceof ApiError ? new URLSearchParams() : form.fields;
  const file = form instanceof ApiError ? undefined : form.file;
  const read = (name: string) => (fields.get(name) ?? '').trim();
  const typed = Object.fromEntries([...TEXTS, 'version', 'removeLogo'].map((name) => [name, read(name)]));
  try {
    if (form instanceof ApiError || (file && file.bytes.length > MAX_FILE_BYTES)) throw tooLarge();
    const logo = file ? file.bytes.toString('base64') : typed.removeLogo === 'yes' ? null : undefined;
    const texts = Object.fromEntries(TEXTS.map((name) => [name, typed[name] === '' ? null : typed[name]]));
    const condition = { ifMatch: toIfMatch(typed.version!) };
    const body: Changes = { ...texts, ...(logo !== undefined && { logo }) };
    await runs.run('updateCompanyBranding', caller, { ...condition, body });
    redirectWithNotice(res, BRANDING_PATH, 'saved');
  } catch (thrown) {
    if (publicError(thrown).code === 'changed_meanwhile') return redirectWithNotice(res, BRANDING_PATH, 'conflict');
    const branding = await runs.run('getCompanyBranding', caller, {});
    const faults = toFormFaults(thrown, FIELDS, language);
    const { fields: texts } = brandingMessages[language];
    // The form has the logo as a file.
    const own = Object.fromEntries(
      FIELDS.filter((name) => name in faults.fields).map((name) => [name === 'logo' ? 'file' : name, texts[name]]),
    );
    show(req as Request, res, {
      branding,
      typed,
      faults: { ...faults, fields: own },
      status: getFailureStatus(thrown),
    });
  }
}

function tooLarge(): ApiError {
  const details = [{ field: 'body/logo', message: 'must have at most 64 KiB' }];
  return new ApiError('invalid_request', 'The logo is too large.', { details });
}

interface Shown {
  branding: Branding;
  typed: FieldValues;
  faults: FormFaults;
  status: number;
}

function show(req: Request, res: Response, { branding, typed, faults, status }: Shown): void {
  const { caller, language } = getAdmin(res);
  const messages = brandingMessages[language];
  const content = html`
    ${renderNotice(req, { saved: messages.saved, conflict: messages.conflict })}
    <p>${messages.about}</p>
    ${branding.logo && html`<p><img class="logo" src=${branding.logo.url} alt=${messages.currentLogo} /></p>`}
    ${
      canCall(caller, 'updateCompanyBranding')
        ? brandingForm(res, { typed, faults, hasLogo: branding.logo !== null }, messages)
        : facts(TEXTS.map((name) => [messages[name], html`<bdi>${typed[name] || messages.none}</bdi>`]))
    }
    ${apiCalls([{ operationId: 'getCompanyBranding' }, { operationId: 'updateCompanyBranding' }], language)}
  `;
  sendConsolePage(res, { status, title: messages.title, content });
}

function brandingForm(
  res: Response,
  { typed, faults, hasLogo }: { typed: FieldValues; faults: FormFaults; hasLogo: boolean },
  messages: BrandingMessages,
): Html {
  const { removeLogo, logo, logoHint } = messages;
  const text = (name: (typeof TEXTS)[number], type = 'text') =>
    textField({ name, label: messages[name], hint: messages[`${name}Hint`], also: { type } }, typed, faults.fields);
  return html`<form method="post" action=${BRANDING_PATH} enctype="multipart/form-data">
    ${hiddenFields(getAdmin(res).formToken)} <input type="hidden" name="version" value=${typed.version} />
    ${formFault(faults.whole)} ${text('name')} ${text('color')} ${text('replyTo', 'email')}
    ${fileField({ name: 'file', label: logo, hint: logoHint, also: { accept: '.png,.jpg,.jpeg,.webp' } }, faults.fields)}
    ${hasLogo && checkField({ name: 'removeLogo', label: removeLogo }, typed)}
    <button type="submit">${messages.save}</button>
  </form>`;
}
