import { formatFullName } from '../../db/expressions.ts';
import type { Language } from '../../contract/languages.ts';
import type { Schemas } from '../../contract/contract.ts';
import type { SigningFaults } from '../../contract/person-operations.ts';
import type { PersonResult } from '../../operations/operations.ts';
import { type Html, html } from '../../http/html/html.ts';
import { formatter } from './formats.ts';
import { readerFrame } from '../shared/pdf-reader/pdf-reader.ts';
import { policyMessages } from './policy-messages.ts';

export interface PolicyView {
  policy: PersonResult<'getOwnPolicy'>;
  learner: { firstName: string; lastName: string };
  language: Language;
  /** Hidden field that proves that this page rendered the form. */
  token: Html;
  /** Values and faults of a rejected form; undefined if no form was rejected. */
  sent: undefined | { name: string; agreed: boolean; faults: SigningFaults };
  /** Whether the form was for a version that is no longer live. */
  isReplaced: boolean;
}

/** Renders everything below the policy's name. */
export function policyContent(view: PolicyView): Html {
  const { policy, language, isReplaced } = view;
  const messages = policyMessages[language];
  const version = formatVersion(policy);
  return html`
    ${
      isReplaced &&
      html`<div class="warning" role="alert">
        <strong>${messages.replacedTitle}</strong>
        <p>${messages.replaced(version)}</p>
      </div>`
    }
    <p class="quiet">${messages.version(version, formatter(language).day(policy.publishedAt), policy.pageCount)}</p>
    ${readingPart(view)} ${signingPart(view)} ${receiptPart(view)}
  `;
}

function readingPart({ policy, language, token }: PolicyView): Html {
  const messages = policyMessages[language];
  const { policyId, versionId, sizeBytes, visit, isAssigned } = policy;
  const file = buildFilePath(policyId, versionId);
  return html`
    <section aria-labelledby="read">
      <h2 id="read">${messages.read}</h2>
      ${readerFrame(file, messages.reader)}
      ${
        isAssigned
          ? html`<form method="post" action=${`/learn/policies/${policyId}/visits`} id="visit">
              ${hiddenFields(token, versionId)}
              <button type="submit" class="quiet">${messages.open(formatter(language).size(sizeBytes))}</button>
            </form>`
          : html`<p><a href=${file} download>${messages.download(formatter(language).size(sizeBytes))}</a></p>`
      }
      ${
        visit !== null &&
        policy.isOpened &&
        html`<p class="quiet">${messages.visited(formatter(language).time(visit))}</p>`
      }
    </section>
  `;
}

function signingPart({ policy, learner, language, token, sent }: PolicyView): Html | null {
  const messages = policyMessages[language];
  const { state } = policy;
  if (state === 'signed') return null;
  if (state === 'not_asked') return html`<p>${messages.notAsked}</p>`;
  const { policyId, name, versionId } = policy;
  const { faults = {} } = sent ?? {};
  const { receipt } = policy;
  return html`
    <section aria-labelledby="sign">
      <h2 id="sign">${messages.sign}</h2>
      ${faults.opened && html`<p class="fault" role="alert">${messages.faults[faults.opened]}</p>`}
      ${!policy.isOpened && html`<p class="hint" id="open-first">${messages.openFirst}</p>`}
      ${state === 'newer_version' && receipt && html`<p>${messages.newerVersion(formatVersion(receipt))}</p>`}
      <form method="post" action=${`/learn/policies/${policyId}/signatures`}>
        ${hiddenFields(token, versionId)}
        <label for="name">${messages.name}</label>
        <p class="hint" id="name-hint">${messages.nameHint(formatFullName(learner))}</p>
        <input
          id="name"
          name="name"
          autocomplete="name"
          required
          value=${sent?.name ?? ''}
          aria-describedby=${faults.name ? 'name-fault name-hint' : 'name-hint'}
          aria-invalid=${faults.name ? 'true' : undefined}
        />
        ${faults.name && html`<p class="fault" id="name-fault" role="alert">${messages.faults[faults.name]}</p>`}
        <label class="choice">
          <input
            type="checkbox"
            name="agreed"
            value="yes"
            required
            checked=${sent?.agreed ?? false}
            aria-describedby=${faults.agreed ? 'agreed-fault' : undefined}
            aria-invalid=${faults.agreed ? 'true' : undefined}
          />
          <span>${messages.agree(name, formatVersion(policy))}</span>
        </label>
        ${faults.agreed && html`<p class="fault" id="agreed-fault" role="alert">${messages.faults[faults.agreed]}</p>`}
        <button type="submit">${messages.submit}</button>
      </form>
    </section>
  `;
}

function receiptPart({ policy, language }: PolicyView): Html | null {
  const messages = policyMessages[language];
  const newestFirst = policy.signatures.toReversed();
  const isSigned = policy.state === 'signed';
  const [receipt, ...earlier] = isSigned ? newestFirst : [undefined, ...newestFirst];
  return html`
    ${
      receipt &&
      html`<section aria-labelledby="receipt">
        <h2 id="receipt">${messages.receipt}</h2>
        ${signatureFacts(receipt, language)}
        ${policy.isSignedHere && html`<p class="quiet">${messages.receiptMailed}</p>`}
      </section>`
    }
    ${
      earlier.length > 0 &&
      html`<details>
        <summary>${messages.earlier}</summary>
        ${earlier.map((signature) => signature && signatureFacts(signature, language))}
      </details>`
    }
  `;
}

function signatureFacts(signature: Schemas['PolicySignature'], language: Language): Html {
  const messages = policyMessages[language];
  const { policyId, versionId, name, signed, signedOffline, sha256, policyName } = signature;
  return html`
    <dl>
      <dt>${messages.signedBy}</dt>
      <dd>${name}${signedOffline && `, ${messages.onPaper}`}</dd>
      <dt>${messages.signedAt}</dt>
      <dd>${formatter(language).time(signed)} (UTC)</dd>
      <dt>${messages.signedVersion}</dt>
      <dd>${formatVersion(signature)} (${policyName})</dd>
      <dt>${messages.signedFile}</dt>
      <dd><code>${sha256}</code></dd>
    </dl>
    <p><a href=${buildFilePath(policyId, versionId)} download>${messages.downloadSigned}</a></p>
  `;
}

function hiddenFields(token: Html, versionId: string): Html {
  return html`
    ${token}
    <input type="hidden" name="versionId" value=${versionId} />
  `;
}

function buildFilePath(policyId: string, versionId: string): string {
  return `/learn/policies/${policyId}/versions/${versionId}.pdf`;
}

function formatVersion({ majorVersion, minorVersion }: { majorVersion: number; minorVersion: number }): string {
  return `${majorVersion}.${minorVersion}`;
}
