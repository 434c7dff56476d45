import type { Language } from '../../../../contract/languages.ts';
import {
  type EditedStep,
  type Files,
  listLanguages,
  listSteps,
  splitEntries,
  toQuestionsPath,
} from './course-files.ts';

/** A step that differs between two contents. */
export interface StepDifference {
  step: EditedStep;
  kind: 'added' | 'changed' | 'removed';
}

/** Lists the steps that are added, changed or removed in any language. */
export function compareSteps(before: Files, after: Files, languages: readonly Language[]): StepDifference[] {
  const stepsOf = (files: Files) => {
    const language =
      languages[0] !== undefined && listLanguages(files).includes(languages[0])
        ? languages[0]
        : listLanguages(files)[0];
    return language === undefined ? [] : listSteps(files, language);
  };
  const old = new Map(stepsOf(before).map((step) => [step.key, step]));
  const all = [...new Set([...listLanguages(before), ...listLanguages(after)])];
  const [oldTexts, newTexts] = [toTexts(before, all), toTexts(after, all)];
  const current = stepsOf(after);
  const keys = new Set(current.map(({ key }) => key));
  return [
    ...current.flatMap((step): StepDifference[] => {
      if (!old.has(step.key)) return [{ step, kind: 'added' }];
      const isSame = all.every((one) => oldTexts.get(`${one} ${step.key}`) === newTexts.get(`${one} ${step.key}`));
      return isSame ? [] : [{ step, kind: 'changed' }];
    }),
    ...[...old.values()].filter(({ key }) => !keys.has(key)).map((step): StepDifference => ({ step, kind: 'removed' })),
  ];
}

/** Returns the text of each step by language and key. */
function toTexts(files: Files, languages: readonly Language[]): ReadonlyMap<string, string> {
  const texts = languages.flatMap((language) => {
    const entries = splitEntries(files.get(toQuestionsPath(language)) ?? '').entries;
    const lessons = [...files].filter(([path]) => path.startsWith(`${language}/`) && path.endsWith('.md'));
    return [
      ...entries.map(({ id, text }) => [`${language} question:${id}`, text.trim()] as const),
      ...lessons.map(([path, text]) => [`${language} lesson:${path.slice(3, -3)}`, text.trim()] as const),
    ];
  });
  return new Map(texts);
}
