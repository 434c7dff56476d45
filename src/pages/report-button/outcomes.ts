import type { ApiError } from '../../contract/errors.ts';
import type { Language } from '../../contract/languages.ts';
import type { Button } from './add-in.ts';
import type { ShownOutcome } from './gmail-cards.ts';
import { reportButtonMessages } from './report-button-messages.ts';

type Result = Awaited<ReturnType<Button['report']>>;

/** Describes the outcome of a report for the person who reports. */
export function describeOutcome(result: Result, language: Language): ShownOutcome {
  const messages = reportButtonMessages[language];
  if (result.outcome === 'passed_on') return { title: messages.passedOnTitle, text: messages.passedOn };
  const paragraphs = result.lesson?.split(/\n\s*\n/) ?? [];
  const lesson = paragraphs.length > 0 ? { title: messages.lesson, paragraphs } : null;
  return { title: messages.simulationTitle, text: messages.simulation, lesson };
}

/** Describes a failure, and what to do instead. */
export function describeFailure(
  { status }: Pick<ApiError, 'status'>,
  language: Language,
  forwardTo: string | null | undefined,
): ShownOutcome {
  const messages = reportButtonMessages[language];
  const address = forwardTo ?? undefined;
  if (status === 404) return { title: messages.unknownTitle, text: messages.unknown };
  return { title: messages.failedTitle, text: status === 413 ? messages.tooLarge(address) : messages.failed(address) };
}
