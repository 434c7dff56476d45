import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import {
  type Faults,
  type FieldValues,
  formFault,
  hiddenFields,
  selectField,
  textAreaField,
  textField,
} from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { type Admin, canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { type CompanySettingsMessages, companySettingsMessages } from './company-settings-messages.ts';

const SETTINGS_PATH = '/console/settings';
const CHANNELS = ['address', 'phone', 'instructions'] as const;
const FIELDS = [...CHANNELS, 'timeZone', 'minGroupSize', 'gapAnalysisFollowUp'] as const;
const FOLLOW_UPS = ['off', 'propose', 'enrol'] as const;

type Settings = Schemas['CompanySettings'];
type Changes = Schemas['UpdateCompanySettingsInput'];

/** Adds the page of settings that concern the whole company. Settings for admins' passkeys are on the sign-in page. */
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

function toValues({ minGroupSize, timeZone, reporting, gapAnalysisFollowUp }: Settings): FieldValues {
  const channels = CHANNELS.map((name): [string, string] => [name, reporting?.[name] ?? '']);
  return {
    ...Object.fromEntries(channels),
    timeZone: timeZone ?? '',
    minGroupSize: String(minGroupSize ?? ''),
    gapAnalysisFollowUp,
  };
}

/**
 * Converts the fields to changes. An empty field removes its value. A value that is not a number is passed on, so the
 * contract rejects it.
 */
function toChanges(typed: FieldValues): Changes {
  const channels = CHANNELS.filter((name) => typed[name] !== '').map((name) => [name, typed[name]]);
  const size = typed.minGroupSize!;
  return {
    reporting: channels.length === 0 ? null : (Object.fromEntries(channels) as Changes['reporting']),
    timeZone: typed.timeZone === '' ? null : typed.timeZone!,
    minGroupSize: (size === '' ? null : /^\d+$/.test(size) ? Number(size) : size) as number | null,
    gapAnalysisFollowUp: toFollowUp(typed),
  };
}

/** A follow-up that is unknown to this release is shown as a proposal, the default. */
function toFollowUp({ gapAnalysisFollowUp }: FieldValues): (typeof FOLLOW_UPS)[number] {
  return FOLLOW_UPS.find((one) => one === gapAnalysisFollowUp) ?? 'propose';
}

/** Names the faults of the fields; three of them are parts of the field `reporting`. */
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
  const content = html`
    ${renderNotice(req, { saved: messages.saved })}
    ${
      canCall(caller, 'updateCompanySettings')
        ? html`<form method="post" action=${SETTINGS_PATH}>
            ${hiddenFields(formToken)} ${formFault(faults.whole)} ${fields(typed, faults, messages)}
            <button type="submit">${messages.save}</button>
          </form>`
        : readings(typed, messages)
    }
    ${apiCalls([{ operationId: 'getCompanySettings' }, { operationId: 'updateCompanySettings' }], language)}
  `;
  sendConsolePage(res, { status, title: messages.title, content });
}

/** Renders the settings for a role that cannot change them. */
function readings(typed: FieldValues, messages: CompanySettingsMessages): Html {
  const { followUps, utc, none } = messages;
  const texts: FieldValues = {
    ...typed,
    timeZone: typed.timeZone || utc,
    gapAnalysisFollowUp: followUps[toFollowUp(typed)],
  };
  return facts(FIELDS.map((name) => [messages[name], html`<bdi>${texts[name] || none}</bdi>`]));
}

function fields(typed: FieldValues, { fields: faults }: FormFaults, messages: CompanySettingsMessages): Html {
  const text = (name: (typeof FIELDS)[number], type: string, hint?: string) =>
    textField({ name, label: messages[name], ...(hint && { hint }), also: { type } }, typed, faults);
  const instructions = { name: 'instructions', label: messages.instructions, hint: messages.instructionsHint };
  const followUp = {
    ...{ name: 'gapAnalysisFollowUp', label: messages.gapAnalysisFollowUp },
    options: FOLLOW_UPS.map((value) => [value, messages.followUps[value]] as const),
  };
  return html`
    <h2>${messages.reporting}</h2>
    <p>${messages.reportingAbout}</p>
    ${text('address', 'email')} ${text('phone', 'tel')} ${textAreaField(instructions, typed, faults)}
    <h2>${messages.figures}</h2>
    ${zoneField(typed, faults, messages)} ${text('minGroupSize', 'number', messages.minGroupSizeHint)}
    <h2>${messages.learning}</h2>
    ${selectField(followUp, typed, faults)}
  `;
}

function zoneField(typed: FieldValues, faults: Faults, messages: CompanySettingsMessages): Html {
  const zones = Intl.supportedValuesOf('timeZone');
  const { timeZone = '' } = typed;
  // The contract accepts more names than the list has, such as former names of time zones.
  const own = timeZone === '' || zones.includes(timeZone) ? [] : [timeZone];
  const options = [['', messages.utc] as const, ...[...own, ...zones].map((zone) => [zone, zone] as const)];
  return selectField(
    { name: 'timeZone', label: messages.timeZone, hint: messages.timeZoneHint, options },
    typed,
    faults,
  );
}
