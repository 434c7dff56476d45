import type { Language } from '../../../contract/languages.ts';

/** Texts of the figure about risk over time. The caller passes numbers and dates already formatted. */
export interface RiskFigureMessages {
  title: string;
  none: string;
  first: (day: string, score: string, level: string) => string;
  change: (from: { day: string; score: string }, to: { day: string; score: string; level: string }) => string;
  head: readonly [day: string, score: string, learners: string];
  caption: string;
}

export const riskFigureMessages: Record<Language, RiskFigureMessages> = {
  en: {
    title: 'Risk over time',
    none: 'The risk is recorded every night. The first day will appear here tomorrow.',
    first: (day, score, level) => `The mean risk score on ${day} was ${score} (${level}).`,
    change: (from, to) =>
      `The mean risk score was ${from.score} on ${from.day} and ${to.score} (${to.level}) on ${to.day}. Lower is better; 50 or more is high.`,
    head: ['Day', 'Mean score', 'Learners'],
    caption: 'Risk score of the company by day, and learners at each level',
  },
  de: {
    title: 'Risiko im Zeitverlauf',
    none: 'Das Risiko wird jede Nacht festgehalten. Der erste Tag erscheint hier morgen.',
    first: (day, score, level) => `Der mittlere Risikowert lag am ${day} bei ${score} (${level}).`,
    change: (from, to) =>
      `Der mittlere Risikowert lag am ${from.day} bei ${from.score} und am ${to.day} bei ${to.score} (${to.level}). Niedriger ist besser; ab 50 ist er hoch.`,
    head: ['Tag', 'Mittlerer Wert', 'Lernende'],
    caption: 'Risikowert des Unternehmens nach Tagen, und Lernende je Stufe',
  },
  fr: {
    title: 'Le risque au fil du temps',
    none: 'Le risque est enregistré chaque nuit. Le premier jour apparaîtra ici demain.',
    first: (day, score, level) => `Le score de risque moyen était de ${score} (${level}) le ${day}.`,
    change: (from, to) =>
      `Le score de risque moyen était de ${from.score} le ${from.day} et de ${to.score} (${to.level}) le ${to.day}. Plus il est bas, mieux c’est ; à partir de 50, il est élevé.`,
    head: ['Jour', 'Score moyen', 'Apprenants'],
    caption: 'Score de risque de l’entreprise par jour, et apprenants à chaque niveau',
  },
};
