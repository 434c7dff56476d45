import type { Response, Router } from 'express';
import { requireAllScopes } from '../../../auth/roles.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { formFault, hiddenFields } from '../../shared/parts/fields.ts';
import { adminsMessages } from './admins-messages.ts';
import { ADMINS_PATH, PROVISIONING_PATH } from './admins-page.ts';
import { readRoles } from './admins-routes.ts';
import { type ProvisioningMessages, provisioningMessages } from './provisioning-messages.ts';
import { formatRole, toRoleFields, toRoleValue } from './role-field.ts';

type Provisioning = Schemas['AdminProvisioning'];

/** Number of empty lines for further groups. */
const FREE_LINES = 3;

/** Adds the page on which an owner chooses which groups of the directory provision admins. */
export function addProvisioningPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins/provisioning', (_req, res) => showProvisioning(runs, res));
  pages.post('/admins/provisioning', async (req, res) => {
    const { caller } = getAdmin(res);
    try {
      await runs.run('replaceAdminProvisioning', caller, { body: readSetting(getForm(req)) });
      res.redirect(303, PROVISIONING_PATH);
    } catch (thrown) {
      await showProvisioning(runs, res, thrown);
    }
  });
}

function readSetting(form: URLSearchParams): Schemas['ReplaceAdminProvisioningInput'] {
  const places = [...form.keys()].flatMap((name) => /^group-(\d+)$/.exec(name)?.[1] ?? []);
  return {
    enabled: form.get('enabled') === 'yes',
    joinsExistingAdmins: form.get('joins') === 'yes',
    roles: places.flatMap((place) => {
      const groupId = form.get(`group-${place}`);
      return groupId ? [{ groupId, ...toRoleFields(form.get(`role-${place}`)) }] : [];
    }),
  };
}

/** @param thrown the error of the submitted form; omitted if there is none */
async function showProvisioning(runs: ConsoleRuns, res: Response, thrown?: unknown): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireAllScopes(caller, null);
  const faults = thrown === undefined ? NO_FAULTS : toFormFaults(thrown, [], language);
  const messages = provisioningMessages[language];
  const setting = await runs.run('getAdminProvisioning', caller, {});
  const groups = (await runs.first('listGroups', caller)).items.map(({ id, name }) => ({ value: id, label: name }));
  const roles = (await readRoles(runs, caller)).map((role) => ({
    ...{ value: toRoleValue({ role: role.role, roleId: role.id }), label: formatRole(role, adminsMessages[language]) },
  }));
  const content = html`
    <p>${messages.about}</p>
    <form method="post" action=${PROVISIONING_PATH}>
      ${hiddenFields(formToken)} ${formFault(faults.whole)} ${checkbox('enabled', messages.enabled, setting.enabled)}
      ${checkbox('joins', messages.joins, setting.joinsExistingAdmins)}
      ${renderLines(setting, { groups, roles }, messages)}
      <button type="submit">${messages.save}</button>
    </form>
    ${setting.skipped.length > 0 && renderSkipped(setting, messages)}
    <p><a href=${ADMINS_PATH}>${messages.back}</a></p>
  `;
  const status = thrown === undefined ? 200 : getFailureStatus(thrown);
  sendConsolePage(res, { status, title: messages.title, content });
}

function checkbox(name: string, label: string, checked: boolean): Html {
  return html`<p>
    <label><input type="checkbox" name=${name} value="yes" checked=${checked} /> ${label}</label>
  </p>`;
}

interface SelectItem {
  value: string;
  label: string;
}

function renderLines(
  { roles: lines }: Provisioning,
  { groups, roles }: { groups: readonly SelectItem[]; roles: readonly SelectItem[] },
  messages: ProvisioningMessages,
): Html {
  const rows = Array.from({ length: lines.length + FREE_LINES }, (_, index) => {
    const line = lines[index];
    // A group of the setting that is not among the listed ones is offered in its own line.
    const isListed = !line || groups.some(({ value }) => value === line.groupId);
    const own = isListed ? [] : [{ value: line.groupId, label: line.groupName ?? messages.removedGroup }];
    const choices = [{ value: '', label: messages.none }, ...own, ...groups];
    return html`
      ${select(`group-${index}`, messages.group(index + 1), choices, line?.groupId ?? '')}
      ${select(`role-${index}`, messages.role(index + 1), roles, line ? toRoleValue(line) : 'analyst')}
    `;
  });
  return html`<fieldset>
    <legend>${messages.roles}</legend>
    <p class="hint">${messages.rolesHint}</p>
    ${rows}
  </fieldset>`;
}

function select(name: string, label: string, choices: readonly SelectItem[], chosen: string): Html {
  return html`
    <label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      ${choices.map(
        (choice) => html`<option value=${choice.value} selected=${choice.value === chosen}>${choice.label}</option>`,
      )}
    </select>
  `;
}

function renderSkipped({ skipped }: Provisioning, messages: ProvisioningMessages): Html {
  const { reasons } = messages;
  return html`<h2>${messages.skipped}</h2>
    <ul>
      ${skipped.map(
        ({ learnerId, reason }) =>
          html`<li><code>${learnerId}</code>: ${(reasons as Record<string, string>)[reason] ?? reason}</li>`,
      )}
    </ul>`;
}
