import type { Knex } from 'knex';
import { UsageError } from '../command.ts';
import { type Command, optional, required } from './command.ts';
import {
  type Company,
  findCompany,
  listed,
  managersBelow,
  printCompanies,
  requireParentKind,
} from './company-commands.ts';
import { recordAsOperator, buildCompanyEntry } from './operator-entries.ts';
import { SETTING_OPTIONS, parseCompanySettings, settle, TRIAL_LEARNERS } from './company-settings.ts';

export const updateCompany: Command = {
  summary: 'change a company, and print it',
  help: `Changes a company and prints it as companies does. Settings without an option stay
unchanged. The changes apply to its keys within seconds.

Usage: keys update-company --company <id> [options]

  --company <id>       the company (see companies)
  --name <text>        its name, up to 200 characters
  --plan <name>        its plan; freeTrial is the free trial, any other plan ends it
  --learner-limit <n>  the maximum number of active learners, or none for no limit. A free
                       trial without a limit gets ${TRIAL_LEARNERS}
  --domain <name>      its e-mail domain, or none
  --domain-lock        accept only new learners of that domain; --no-domain-lock undoes it
  --enable <modules>   modules to enable, separated by commas: smlearn (training), smphish
                       (simulations), smpolicy (policies), smbreachproenabled (breaches)
  --disable <modules>  modules to disable; their data is kept
  --watched-domains <names>  the domains to report breaches of, separated by commas, or
                       none; replaces the previous ones
  --parent <id>        the company that manages it, or none. Its previous managers can no
                       longer read it or the companies below it; its new managers can
  --json               print the company as JSON

Example:
  keys update-company --company 018d7...02 --enable smbreachproenabled --watched-domains example.org`,
  options: {
    ...SETTING_OPTIONS,
    company: { type: 'string' },
    'no-domain-lock': { type: 'boolean' },
    parent: { type: 'string' },
    json: { type: 'boolean' },
  },
  prepare(values) {
    const companyId = required(values, 'company');
    const settings = parseCompanySettings(values);
    const parentId = optional(values, 'parent');
    if (Object.keys(settings).length === 0 && parentId === undefined)
      throw new UsageError('Give at least one setting to change.');
    return (database) =>
      database.transaction(async (change) => {
        const { id } = await findCompany(change, companyId);
        const company = (await change<Company>('companies').where({ id }).forUpdate().first())!;
        const parent = parentId === undefined || parentId === 'none' ? undefined : await findCompany(change, parentId);
        if (parent) requireParentKind(company.account_type, parent);
        await change('companies')
          .where({ id })
          .update({ ...settings, ...settle(company, settings) });
        if (parentId !== undefined) await move(change, company, parent);
        await recordAsOperator(change, [buildCompanyEntry('updateCompany', id, values)]);
        printCompanies(await listed(change).where({ id }), values.json === true);
      });
  },
};

/**
 * Moves a company, with all companies below it, to another parent or to none. Triggers update `managed_by`, except on
 * Citus, where a table that every node has a copy of cannot have such triggers.
 */
async function move(database: Knex, { id }: Company, parent: Company | undefined): Promise<void> {
  const managers = managersBelow(parent);
  await database('companies')
    .where({ id })
    .update({ parent_id: parent?.id ?? null, managed_by: managers });
  await database('companies')
    .whereRaw('managed_by @> array[?::uuid]', [id])
    .update({ managed_by: database.raw('managed_by[:array_position(managed_by, ?)] || ?::uuid[]', [id, managers]) });
}
