import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { renderDay } from '../../shared/parts/fields.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { toPolicyPath } from './policies-page.ts';
import { policyMessages } from './policy-messages.ts';
import { toId } from './policy-reading.ts';

/** Adds the list of people who have not signed a policy. */
export function addUnsignedPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/policies/:policyId/unsigned', (req, res) => showUnsigned(runs, req, res));
}

async function showUnsigned(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const messages = policyMessages[language];
  const policyId = toId(req);
  const cursor = typeof req.query.cursor === 'string' ? req.query.cursor : undefined;
  const outcome = 'unsigned' as const;
  const { items, data, nextCursor } = await runs.page('getPolicy', caller, { policyId, outcome }, cursor);
  const people = items as unknown as Schemas['PolicyRecipient'][];
  const day = (time: string | null) => renderDay(time, language, messages.none);
  const canRemind = canCall(caller, 'sendPolicyReminders') && canCall(caller, 'listLearners');
  const boxes = people.map(({ learner }) => ({ value: learner.id, label: messages.select(learner.name) }));
  const path = toPolicyPath(policyId, '/unsigned');
  const content = html`
    <p>
      <a href=${toPolicyPath(policyId)}><bdi>${data.name}</bdi></a>
    </p>
    ${
      people.length === 0
        ? emptyState(messages.allSigned)
        : dataTable({
            caption: messages.unsignedTitle,
            columns: messages.unsignedHead,
            rows: people.map(({ learner, askedAt, remindedAt }) => [
              html`<a href=${`/console/people/${learner.id}`}><bdi>${learner.name}</bdi></a>`,
              html`<bdi>${learner.department ?? messages.none}</bdi>`,
              day(askedAt),
              day(remindedAt),
            ]),
            ...(canRemind && { selection: { form: 'remind', field: 'learnerId', boxes } }),
          })
    }
    ${cursorLinks({ label: messages.listPages, path, values: {}, cursor, nextCursor }, language)}
    ${
      canRemind &&
      people.length > 0 &&
      html`<form id="remind" method="get" action=${toPolicyPath(policyId, '/people/remind')}>
        <input type="hidden" name="who" value="chosen" />
        <button type="submit">${messages.remindChosen}</button>
      </form>`
    }
    ${apiCalls([{ operationId: 'getPolicy', path: { policyId }, query: { outcome } }], language)}
  `;
  sendConsolePage(res, { title: messages.unsignedTitle, content, width: 'wide' });
}
