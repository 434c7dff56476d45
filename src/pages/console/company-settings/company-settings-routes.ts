import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import {
  type FieldValues,
  formFault,
  hiddenFields,
  selectField,
  textAreaField,
  textField,
} from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { type Admin, canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { companySettingsMessages } from './company-settings-messages.ts';

const SETTINGS_PATH = '/console/settings';
const CHANNELS = ['address', 'phone', 'instructions'] as const;
const FIELDS = [...CHANNELS, 'timeZone', 'minGroupSize'] as const;

type Settings = Schemas['CompanySettings'];
type Changes = Schemas['UpdateCompanySettingsInput'];

/** Adds the page of settings that concern the whole company. Passkeys of admins are on the page of sign-in. */
export function addCompanySettingsPage(pages: Router, runs: ConsoleRuns): void {
  pages.get('/settings', async (req, res) => {
    const admin = getAdmin(res);
    const settings = await runs.run('getCompanySettings', admin.caller, {});
    show(req, res, { typed: toValues(settings), faults: NO_FAULTS, status: 200 });
  });
  pages.post('/settings', async (req, res) => {
    const admin = getAdmin(res);
    const form = getForm(req);
    const typed = Object.fromEntries(FIELDS.map((name) => [name, (form.get(name) ?? '').trim()]));
    try {
      await runs.run('updateCompanySettings', admin.caller, { body: toChanges(typed) });
      redirectWithNotice(res, SETTINGS_PATH, 'saved');
    } catch (thrown) {
      const faults = toFaults(thrown, admin);
      show(req, res, { typed, faults, status: getFailureStatus(thrown) });
    }
  });
}

function toValues({ minGroupSize, timeZone, reporting }: Settings): FieldValues {
  const channels = CHANNELS.map((name): [string, string] => [name, reporting?.[name] ?? '']);
  return { ...Object.fromEntries(channels), timeZone: timeZone ?? '', minGroupSize: String(minGroupSize ?? '') };
}

/** Converts the fields to changes. An empty field removes its value; a number that is none is left to the contract. */
function toChanges(typed: FieldValues): Changes {
  const channels = CHANNELS.filter((name) => typed[name] !== '').map((name) => [name, typed[name]]);
  const size = typed.minGroupSize!;
  return {
    reporting: channels.length === 0 ? null : (Object.fromEntries(channels) as Changes['reporting']),
    timeZone: typed.timeZone === '' ? null : typed.timeZone!,
    minGroupSize: (size === '' ? null : /^\d+$/.test(size) ? Number(size) : size) as number | null,
  };
}

/** Names the faults of the fields, of which three are parts of the field `reporting`. */
function toFaults(thrown: unknown, { language }: Admin): FormFaults {
  const { fields } = companySettingsMessages[language];
  const faults = toFormFaults(thrown, FIELDS, language);
  return {
    ...faults,
    fields: Object.fromEntries(Object.keys(faults.fields).map((name) => [name, fields[name as never]])),
  };
}

interface Shown {
  typed: FieldValues;
  faults: FormFaults;
  status: number;
}

function show(req: Request, res: Response, { typed, faults, status }: Shown): void {
  const { caller, language, formToken } = getAdmin(res);
  const messages = companySettingsMessages[language];
  const isDisabled = !canCall(caller, 'updateCompanySettings');
  const also = { disabled: isDisabled };
  const text = (name: (typeof FIELDS)[number], rest: { hint?: string; type?: string } = {}) => {
    const { hint, ...attributes } = rest;
    return textField(
      { name, label: messages[name], ...(hint && { hint }), also: { ...also, ...attributes } },
      typed,
      faults.fields,
    );
  };
  const content = html`
    ${renderNotice(req, { saved: messages.saved })}
    <form method="post" action=${SETTINGS_PATH}>
      ${hiddenFields(formToken)} ${formFault(faults.whole)}
      <h2>${messages.reporting}</h2>
      <p>${messages.reportingAbout}</p>
      ${text('address', { type: 'email' })} ${text('phone', { type: 'tel' })}
      ${textAreaField(
        { name: 'instructions', label: messages.instructions, hint: messages.instructionsHint, also },
        typed,
        faults.fields,
      )}
      <h2>${messages.figures}</h2>
      ${zoneField(typed, faults, { also, label: messages.timeZone, hint: messages.timeZoneHint, utc: messages.utc })}
      ${text('minGroupSize', { type: 'number', hint: messages.minGroupSizeHint })}
      ${!isDisabled && html`<button type="submit">${messages.save}</button>`}
    </form>
    ${apiCalls([{ operationId: 'getCompanySettings' }, { operationId: 'updateCompanySettings' }], language)}
  `;
  sendConsolePage(res, { status, title: messages.title, content });
}

function zoneField(
  typed: FieldValues,
  { fields }: FormFaults,
  { also, label, hint, utc }: { also: Record<string, boolean>; label: string; hint: string; utc: string },
): Html {
  const zones = Intl.supportedValuesOf('timeZone');
  const { timeZone = '' } = typed;
  // The contract accepts more names than the list has, such as former ones.
  const own = timeZone === '' || zones.includes(timeZone) ? [] : [timeZone];
  const options = [['', utc] as const, ...[...own, ...zones].map((zone) => [zone, zone] as const)];
  return selectField({ name: 'timeZone', label, hint, options, also }, typed, fields);
}
