import escapeHtml from 'escape-html';
import type { ContractName, ContractVersion, ContractVersions } from '../../released/contract-versions.ts';
import { CHANGES, CHANGES_FEED } from '../pages.ts';
import { formatVersionChanges } from './contract-history.ts';
import { generatedPage, type TextPage } from '../text-page.ts';

export type Contracts = Record<ContractName, ContractVersions>;

/** Titles of the contracts, as they begin a sentence. */
export const CONTRACT_TITLES: Record<ContractName, string> = { rest: 'REST contract', scim: 'SCIM contract' };

const DOCUMENTS: Record<ContractName, string> = { rest: '/v1/openapi.json', scim: '/scim/v2/openapi.json' };

export function comparisonPath(contract: ContractName, from: string, to: string): string {
  return `${CHANGES.path}/${contract}/${from}...${to}`;
}

/** Renders the page with every version of the contracts, and a form that compares two. */
export function changesPage(contracts: Contracts): TextPage {
  const all = Object.values(contracts);
  const page = generatedPage(CHANGES.path, formatChangesPage(all));
  return { ...page, html: page.html + all.map(renderComparisonForm).join('') };
}

function formatChangesPage(contracts: ContractVersions[]): string {
  return `# Contract versions

You can read every released version of the contracts and compare any two, without a key. To follow releases, subscribe to
[the Atom feed](${CHANGES_FEED.path}). [Versioning](/docs/versioning) explains which changes a version can make.

${contracts.map(formatContractSection).join('\n\n')}

## Compare two versions

\`${CHANGES.path}?from=1.2.0\` shows the changes from version 1.2.0 of the REST contract to the version of this server. To
compare with another version, add \`to\`. For the SCIM contract, add \`contract=scim\`.
`;
}

function formatContractSection({ contract, all }: ContractVersions): string {
  const items = all.map((one, index) => {
    const before = all[index + 1];
    const changes = before
      ? `[Changes since ${before.version}](${comparisonPath(contract, before.version, one.version)})`
      : 'The first version';
    return `- [${one.version}](${DOCUMENTS[contract]}?version=${one.version}): ${formatRelease(one)} ${changes}.`;
  });
  const changes = all.map(({ version }) => formatVersionChanges(contract, version)).filter((text) => text !== '');
  return [`## ${CONTRACT_TITLES[contract]}\n\n${items.join('\n')}`, ...changes].join('\n\n');
}

function formatRelease({ release, isRunning }: ContractVersion): string {
  if (!release) return 'runs on this server; not released yet, can still change.';
  return `released in ${release.release} on ${release.date}${isRunning ? '; runs on this server' : ''}.`;
}

/** Renders the form, which needs no script, because the response redirects to the comparison. */
function renderComparisonForm({ contract, all }: ContractVersions): string {
  if (all.length < 2) return '';
  const newest = all.map(({ version }) => version);
  const field = (name: 'from' | 'to', label: string, chosen: string) => `<label>${label}
<select name="${name}">
${newest.map((version) => renderOption(version, version === chosen)).join('\n')}
</select></label>`;
  return `<form class="compare" action="${CHANGES.path}">
<input type="hidden" name="contract" value="${contract}">
${field('from', `${CONTRACT_TITLES[contract]} from`, newest[1]!)}
${field('to', 'to', newest[0]!)}
<button>Compare</button>
</form>
`;
}

function renderOption(version: string, isChosen: boolean): string {
  return `<option${isChosen ? ' selected' : ''}>${escapeHtml(version)}</option>`;
}
