import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { renderDay } from '../../shared/parts/fields.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { facts, tiles } from '../../shared/parts/tiles.ts';
import { canCall } from '../admin.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { policiesMessages } from './policies-messages.ts';
import { formatVersion, POLICIES_PATH, toPolicyPath } from './policies-page.ts';
import { policyMessages } from './policy-messages.ts';

export type Policy = Schemas['Policy'];

export interface PolicyView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  policy: Policy;
  notice: Html | undefined;
  /** Whether the role can open the report on outstanding signatures. */
  canReport: boolean;
  /** Whether the role can choose the people of an action. */
  canChoose: boolean;
}

/** Renders a policy: the published version and the draft side by side, the signatures and the versions. */
export function policyContent(view: PolicyView): Html {
  const { language, policy } = view;
  const messages = policyMessages[language];
  const path = { policyId: policy.id };
  return html`
    ${view.notice}
    <p><a href=${POLICIES_PATH}>${policiesMessages[language].back}</a></p>
    <div class="pair">
      <section aria-labelledby="live">
        <h2 id="live">${messages.live}</h2>
        ${policy.isLive ? liveVersion(view) : html`<p>${messages.noLive}</p>`}
      </section>
      <section aria-labelledby="draft">
        <h2 id="draft">${messages.draft}</h2>
        ${policy.draft ? draft(view, policy.draft) : html`<p>${messages.noDraft}</p>`} ${draftActions(view)}
      </section>
    </div>
    ${policy.isLive && signatures(view)} ${policy.versions.length > 0 && versions(view)}
    ${
      canCall(view.caller, 'deletePolicies') &&
      html`<p><a class="button quiet" href=${toPolicyPath(policy.id, '/delete')}>${messages.remove}</a></p>`
    }
    ${apiCalls(
      [
        { operationId: 'getPolicy', path },
        { operationId: 'updatePolicy', path },
        { operationId: 'publishPolicyDraft', path },
      ],
      language,
    )}
  `;
}

type Shown = Pick<Policy, 'name' | 'category' | 'ownerName' | 'ownerEmail' | 'isPublic' | 'fileName' | 'pageCount'>;

function content(shown: Shown, language: Language): (readonly [string, Html | string])[] {
  const messages = policyMessages[language];
  const owner = [shown.ownerName, shown.ownerEmail].filter((one) => one !== null).join(', ');
  const pages = shown.pageCount === null ? messages.none : messages.pages(shown.pageCount);
  return [
    [messages.name, html`<bdi>${shown.name}</bdi>`],
    [messages.file, html`${shown.fileName !== null && html`<bdi>${shown.fileName}</bdi>, `}${pages}`],
    [messages.category, html`<bdi>${shown.category ?? messages.none}</bdi>`],
    [messages.owner, html`<bdi>${owner || messages.none}</bdi>`],
    [messages.access, shown.isPublic ? messages.public : messages.assignedOnly],
  ];
}

function liveVersion({ policy, language }: PolicyView): Html {
  const messages = policyMessages[language];
  return html`${facts([
    [messages.version, formatVersion(policy)],
    [messages.publishedOn, renderDay(policy.publishedAt, language, messages.none)],
    ...content(policy, language),
  ])}
  ${fileLinks(policy.id, policy.liveVersionId!, formatVersion(policy), language)}`;
}

function draft({ policy, language }: PolicyView, shown: NonNullable<Policy['draft']>): Html {
  const messages = policyMessages[language];
  return html`${facts([[messages.changedOn, renderDay(shown.updatedAt, language, messages.none)], ...content(shown, language)])}
  ${fileLinks(policy.id, 'draft', messages.draft, language)}`;
}

/** Renders the links to the PDF of a version or the draft. */
function fileLinks(policyId: string, version: string, what: string, language: Language): Html {
  const messages = policyMessages[language];
  const link = (path: string, text: string) =>
    html`<a href=${toPolicyPath(policyId, path)} aria-label=${messages.named(text, what)}>${text}</a>`;
  return html`<p>${link(`/read/${version}`, messages.read)} · ${link(`/files/${version}.pdf`, messages.download)}</p>`;
}

function draftActions({ policy, caller, language }: PolicyView): Html {
  const messages = policyMessages[language];
  const { inDraft } = policy;
  const link = (rest: string, text: string, isMain = false) =>
    html`<a class=${isMain ? 'button' : 'button quiet'} href=${toPolicyPath(policy.id, rest)}>${text}</a>${' '}`;
  return html`<p>
    ${inDraft && canCall(caller, 'publishPolicyDraft') && link('/publish', messages.publish, true)}
    ${canCall(caller, 'updatePolicy') && link('/draft', inDraft ? messages.editDraft : messages.startDraft)}
    ${inDraft && canCall(caller, 'discardPolicyDraft') && link('/discard', messages.discard)}
  </p>`;
}

function signatures({ policy, caller, language, canReport, canChoose }: PolicyView): Html {
  const messages = policyMessages[language];
  const { number } = getFormats(language);
  const { assignedCount, signedCount } = policy;
  const unsignedPath = toPolicyPath(policy.id, '/unsigned');
  const unsigned = assignedCount - signedCount;
  const action = (
    operationId: 'createPolicyAssignments' | 'sendPolicyReminders' | 'removePolicyAssignments',
    rest: string,
    text: string,
  ) =>
    canChoose &&
    canCall(caller, operationId) &&
    html`<a class="button quiet" href=${toPolicyPath(policy.id, `/people/${rest}`)}>${text}</a>${' '}`;
  return html`<h2>${messages.signatures}</h2>
    ${tiles([
      { name: messages.assigned, value: number(assignedCount) },
      { name: messages.signed, value: number(signedCount) },
      { name: messages.unsigned, value: number(unsigned), ...(unsigned > 0 && { href: unsignedPath }) },
    ])}
    <p>
      ${action('createPolicyAssignments', 'assign', messages.assign)}
      ${assignedCount > 0 && action('sendPolicyReminders', 'remind', messages.remind)}
      ${assignedCount > 0 && action('removePolicyAssignments', 'withdraw', messages.withdraw)}
    </p>
    ${unsigned > 0 && html`<p><a href=${unsignedPath}>${messages.unsignedList}</a></p>`}
    ${canReport && html`<p><a href=${`/console/reports/policies?policyId=${policy.id}`}>${messages.report}</a></p>`}`;
}

function versions({ policy, language }: PolicyView): Html {
  const messages = policyMessages[language];
  return html`<h2>${messages.versions}</h2>
    ${dataTable({
      caption: messages.versions,
      columns: [messages.version, messages.name, messages.publishedOn, messages.file],
      rows: policy.versions.map((one) => [
        formatVersion(one),
        html`<bdi>${one.name}</bdi>`,
        renderDay(one.publishedAt, language, messages.none),
        messages.pages(one.pageCount),
        fileLinks(policy.id, one.id, formatVersion(one), language),
      ]),
    })}`;
}
