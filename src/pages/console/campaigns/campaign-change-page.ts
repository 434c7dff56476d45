import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { renderDay } from '../../shared/parts/fields.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { tiles } from '../../shared/parts/tiles.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { campaignChangeMessages } from './campaign-change-messages.ts';
import { toCampaignPath } from './campaigns-page.ts';

export interface CampaignChangeView {
  language: Language;
  campaign: Pick<Schemas['Campaign'], 'id' | 'name'>;
  preview: Schemas['CampaignChangePreview'];
  /** The fields of the form, with its token. The button that saves the change sends them again. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** Renders what a change to a running campaign does, with the form that saves the change. */
export function campaignChangeContent({ language, campaign, preview, fields }: CampaignChangeView): Html {
  const messages = campaignChangeMessages[language];
  const { number } = getFormats(language);
  const { assigned, ended } = preview;
  const changed = preview.messages.filter(({ before, after }) => before !== after);
  const [day, before, after] = messages.head;
  return html`
    <p><bdi>${campaign.name}</bdi></p>
    <p>${messages.about}</p>
    ${tiles([
      { name: messages.assigned, value: number(assigned.learners) },
      { name: messages.newAssignments, value: number(assigned.assignments) },
      { name: messages.ended, value: number(ended.learners) },
      { name: messages.endedAssignments, value: number(ended.assignments) },
    ])}
    <h2>${messages.messages}</h2>
    ${
      changed.length === 0
        ? html`<p>${messages.unchanged}</p>`
        : dataTable({
            caption: messages.messages,
            columns: [day, { name: before, isNumber: true }, { name: after, isNumber: true }],
            rows: changed.map((one) => [renderDay(one.day, language, ''), number(one.before), number(one.after)]),
          })
    }
    <p class="hint">${messages.hint}</p>
    <form method="post" action=${toCampaignPath(campaign.id, '/edit')}>
      ${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      <button type="submit">${messages.save}</button>
      <button type="submit" name="step" value="again">${messages.again}</button>
    </form>
    ${apiCalls([{ operationId: 'previewCampaignChange', path: { campaignId: campaign.id } }], language)}
  `;
}
