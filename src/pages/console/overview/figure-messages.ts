import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';

/** Texts that all figures of the overview share. */
export interface FigureMessages {
  asTable: string;
  missing: Record<'module' | 'scope' | 'now', string>;
  levels: Record<Schemas['RiskScoreLevel'], string>;
}

export const figureMessages: Record<Language, FigureMessages> = {
  en: {
    asTable: 'As a table',
    missing: {
      module: 'This is not part of the plan.',
      scope: 'You are not allowed to read this.',
      now: 'This cannot be read at the moment. Please try again in a minute.',
    },
    levels: { low: 'low', moderate: 'moderate', high: 'high', critical: 'critical' },
  },
  de: {
    asTable: 'Als Tabelle',
    missing: {
      module: 'Das gehört nicht zum gebuchten Umfang.',
      scope: 'Sie dürfen das nicht lesen.',
      now: 'Das lässt sich gerade nicht lesen. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
    levels: { low: 'niedrig', moderate: 'mäßig', high: 'hoch', critical: 'kritisch' },
  },
  fr: {
    asTable: 'Sous forme de tableau',
    missing: {
      module: 'Cela ne fait pas partie de votre offre.',
      scope: 'Vous n’êtes pas autorisé(e) à lire cela.',
      now: 'Lecture impossible pour le moment. Veuillez réessayer dans une minute.',
    },
    levels: { low: 'faible', moderate: 'modéré', high: 'élevé', critical: 'critique' },
  },
};
