import { type Caller, hasScope } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import {
  ApiError,
  type FieldError,
  formatFieldError,
  insufficientScope,
  invalidField,
} from '../../../contract/errors.ts';
import { LANGUAGES } from '../../../contract/languages.ts';
import { type DeliveryMethod, judgeTexts, type TemplateContent } from './simulation-template-content.ts';

/** Maximum number of faults in a response; malformed HTML can have a fault in every tag. */
const MAX_FAULTS = 20;

/** Converts content to the form in which it is stored, by language. @throws invalid_request naming each field */
export function storedContent(method: DeliveryMethod, content: Schemas['SimulationTemplateContent']): TemplateContent {
  const faults = content.flatMap((texts, index) =>
    listFaults(method, texts, content.slice(0, index)).map(({ field, message }) => {
      return { field: `body/content/${index}/${field}`, message };
    }),
  );
  if (faults.length > 0) {
    throw new ApiError('invalid_request', formatFieldError(faults[0]!), { details: faults.slice(0, MAX_FAULTS) });
  }
  return Object.fromEntries(content.map(({ locale, ...texts }) => [locale, texts]));
}

type TextsInput = Schemas['SimulationTemplateWordsInput'];

function listFaults(
  method: DeliveryMethod,
  { locale, ...texts }: TextsInput,
  before: readonly TextsInput[],
): FieldError[] {
  const isTwice = before.some((other) => other.locale === locale);
  return [...(isTwice ? [{ field: 'locale', message: 'is already in the list' }] : []), ...judgeTexts(method, texts)];
}

type Shown = Schemas['SimulationTemplateWords'];

/** Converts stored content to the form that responses use. */
export function shownContent(content: TemplateContent): Shown[] {
  return LANGUAGES.flatMap((locale) => {
    const texts = content[locale];
    return texts === undefined ? [] : [{ locale, ...texts, attachment: texts.attachment ?? null }];
  });
}

/** @throws forbidden for a template of the managed catalogue */
export function requireOwn({ source }: Pick<Schemas['SimulationTemplate'], 'source'>): void {
  if (source !== 'custom')
    throw new ApiError('forbidden', 'Only the operator can change a template of the managed catalogue.');
}

interface Use {
  isPlanned: boolean;
  isInCampaign: boolean;
}

/**
 * Protects approved content: messages must have the content that was approved. Content that a campaign will send can
 * only be changed by callers who can send simulations.
 * @throws simulation_template_in_use, or insufficient_scope
 */
export function requireUnplanned({ isPlanned, isInCampaign }: Use, caller: Pick<Caller, 'scopes'>): void {
  if (isPlanned)
    throw new ApiError(
      'simulation_template_in_use',
      'A scheduled or running simulation uses the template; wait until it has ended.',
      {
        details: [{ field: 'body/content', message: 'cannot be changed until the simulation has ended' }],
      },
    );
  if (isInCampaign && !hasScope(caller, 'simulations:send')) throw insufficientScope('simulations:send');
}

/** @throws invalid_request for a language that the template does not have */
export function textsIn(content: readonly Shown[], locale: string): Shown {
  const texts = content.find((one) => one.locale === locale);
  if (!texts) throw invalidField('query/locale', 'is not a language of the template');
  return texts;
}
