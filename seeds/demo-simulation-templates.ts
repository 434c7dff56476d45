import type { Knex } from 'knex';
import { loadTemplates } from '../src/commands/catalogue/load-templates.ts';
import { shippedTemplates } from '../src/commands/catalogue/shipped-catalogue.ts';
import type { TemplateContent } from '../src/resources/simulations/templates/simulation-template-content.ts';
import { companyId, findCompany, fixedId, MANAGED_CATALOGUE } from './demo-ids.ts';

const CREATED_AT = '2025-12-05T16:00:00.000Z';

const CONTENT: TemplateContent = {
  en: {
    senderName: 'Parking management',
    senderMailbox: 'parking',
    subject: '{{firstName}}, your parking card ends on Friday',
    text: 'Hello {{firstName}},\n\nYour parking card for {{companyName}} ends on Friday. Please renew it:\n{{link}}',
    html: '<p>Hello {{firstName}},</p><p>Your parking card for {{companyName}} ends on Friday. <a href="{{link}}">Please renew it</a>.</p>',
    cues: ['Nobody in the company is called parking management.', 'Cards are renewed at the front desk.'],
    lesson: 'Ask at the front desk before you follow such a link.',
  },
};

/** Time at which the templates that ship with the service were added to the demo. */
const SHIPPED_ON = '2026-11-02T09:00:00.000Z';

/** Loads the managed templates as the command `catalogue` does, and sets their dates. */
export async function loadSimulationTemplates(transaction: Knex.Transaction): Promise<void> {
  await loadTemplates(transaction, await shippedTemplates(), false);
  await transaction('simulation_templates')
    .where({ owner_id: MANAGED_CATALOGUE })
    .update({ created_at: SHIPPED_ON, updated_at: SHIPPED_ON });
}

/** Builds a simulation template of the tenant. */
export function ownSimulationTemplateRow(): object {
  return {
    owner_id: companyId(findCompany('tenant')),
    id: fixedId(Date.parse(CREATED_AT), 'template', 0x100),
    name: 'Parking card',
    delivery_method: 'email',
    difficulty: 2,
    locales: Object.keys(CONTENT),
    content: CONTENT,
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
  };
}
