import type { Browser } from 'playwright-core';
import type { CorpusPackage } from './corpus.ts';
import type { Lms } from './lms.ts';
import { hasEnded, Player, type RuntimeValues } from './player.ts';

const FIRST_SITTING_MS = 15_000;
const SECOND_SITTING_MS = Number(process.env.SCORM_PLAY_SECONDS ?? 75) * 1000;
const FIRST_STEPS = 6;

/** Observations of one package. */
export interface Finding {
  entry: CorpusPackage;
  isInitialized: boolean;
  /** Whether the second sitting began where the first stopped; null if the first kept nothing or ended the course. */
  isResumed: boolean | null;
  /** `passed`, `failed` or `completed` as recorded; `open` if the attempt goes on. */
  outcome: string;
  score: number | null;
  /** The package's reports by the time it was closed. */
  reported: string;
  interactions: number;
  errors: string[];
  summary: string;
  faults: string[];
}

type Seen = Omit<Finding, 'summary' | 'faults'>;

export async function checkPackage(options: {
  browser: Browser;
  lms: Lms;
  entry: CorpusPackage;
  bytes: Buffer;
}): Promise<Finding> {
  const { browser, lms, entry, bytes } = options;
  const seen: Seen = {
    ...{
      entry,
      isInitialized: false,
      isResumed: null,
      outcome: 'open',
      score: null,
      reported: '',
      interactions: 0,
      errors: [],
    },
  };
  let player: Player | undefined;
  try {
    const course = await lms.createCourse(`${entry.repository} ${entry.path}`.slice(0, 200), bytes);
    player = await Player.signIn(browser, lms, course.id);
    const opened = await player.open();
    seen.isInitialized = opened?.isInitialized ?? false;
    const verbose = process.env.SCORM_VERBOSE ? (...all: unknown[]) => console.log('     ', ...all) : () => undefined;
    verbose('opened', JSON.stringify({ ...opened, suspendData: opened?.suspendData.length }));
    verbose('first', await player.play(FIRST_SITTING_MS, (values, steps) => hasEnded(values) || steps >= FIRST_STEPS));
    const first = await player.read();
    verbose('first state', JSON.stringify({ ...first, suspendData: first?.suspendData.length }));
    let last = first;
    let result = await player.leave(first !== undefined && hasEnded(first));
    if (!result.isFinished) {
      const again = await player.open();
      verbose('again', JSON.stringify({ ...again, suspendData: again?.suspendData.length }));
      seen.isResumed = isResumed(first, again);
      verbose('second', await player.play(SECOND_SITTING_MS, hasEnded));
      last = await player.read();
      verbose('last state', JSON.stringify({ ...last, suspendData: last?.suspendData.length }));
      if (process.env.SCORM_PICTURES)
        await player.page.screenshot({
          path: `${process.env.SCORM_PICTURES}/${entry.repository.replace('/', '+')}${entry.path.replaceAll('/', '_')}.png`,
        });
      result = await player.leave(last !== undefined && hasEnded(last));
    }
    seen.outcome = toOutcome(result);
    seen.score = result.score;
    seen.reported = [last?.status, last?.success, last?.score].filter((word) => word && word !== 'unknown').join(' ');
    seen.interactions = await lms.countInteractions(course.id);
    seen.errors = player.errors;
  } catch (error) {
    seen.errors = [`check: ${(error as Error).message}`];
  } finally {
    await player?.context.close();
  }
  return { ...seen, summary: summarize(seen), faults: listFaults(seen) };
}

/** Compares the observations with the expectations in corpus.ts. */
function listFaults({ entry, isInitialized, isResumed: resumed, outcome, score, errors }: Seen): string[] {
  const { end, score: expectedScore, isResumed: mustResume, isSilent = false } = entry.expected;
  return [
    ...errors.filter((error) => error.startsWith('check: ')),
    ...(isInitialized === isSilent ? [`the runtime was ${isInitialized ? '' : 'not '}initialised`] : []),
    ...(end !== undefined && outcome !== end ? [`the outcome was ${outcome} instead of ${end}`] : []),
    ...(expectedScore !== undefined && score !== expectedScore
      ? [`the score was ${score} instead of ${expectedScore}`]
      : []),
    ...(resumed === false || (mustResume && resumed !== true) ? ['the second sitting did not resume the first'] : []),
  ];
}

function isResumed(before: RuntimeValues | undefined, after: RuntimeValues | undefined): boolean | null {
  if (!before || !after || (before.location === '' && before.suspendData === '')) return null;
  return after.entry === 'resume';
}

function toOutcome({ isFinished, passed }: { isFinished: boolean; passed: boolean | null }): string {
  if (!isFinished) return 'open';
  return passed === null ? 'completed' : passed ? 'passed' : 'failed';
}

function summarize({
  isInitialized,
  isResumed: resumed,
  outcome,
  score,
  reported,
  interactions,
  errors,
}: Seen): string {
  return [
    isInitialized ? 'initialised' : 'not initialised',
    resumed === null ? undefined : resumed ? 'resumed' : 'NOT resumed',
    `${outcome}${score === null ? '' : ` ${score}`}`,
    `reported ${reported || 'nothing'}`,
    interactions > 0 ? `${interactions} answers` : undefined,
    errors.length > 0 ? `${errors.length} errors (${errors[0]})` : undefined,
  ]
    .filter(Boolean)
    .join(', ');
}
