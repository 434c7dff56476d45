import type { TemplateContent } from '../src/simulations/template-content.ts';
import { companyId, companyOf, fixedId } from './demo-ids.ts';

const CREATED_AT = '2025-12-05T16:00:00.000Z';

const CONTENT: TemplateContent = {
  en: {
    senderName: 'Parking management',
    senderMailbox: 'parking',
    subject: '{{firstName}}, your parking card ends on Friday',
    text: 'Hello {{firstName}},\n\nyour parking card for {{companyName}} ends on Friday. Please renew it:\n{{link}}',
    html: '<p>Hello {{firstName}},</p><p>your parking card for {{companyName}} ends on Friday. <a href="{{link}}">Please renew it</a>.</p>',
    cues: ['Nobody in the company is called parking management.', 'Cards are renewed at the front desk.'],
    lesson: 'Ask at the front desk before you follow such a link.',
  },
};

/** A template of simulations that the tenant has written. */
export function ownSimulationTemplateRow(): object {
  return {
    owner_id: companyId(companyOf('tenant')),
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
