import type { Language } from '../../../contract/languages.ts';

/** Texts of the overview apart from its figures. */
export interface OverviewMessages {
  overview: string;
  of: (company: string) => string;
  learners: string;
  risk: string;
  training: string;
  policies: string;
  /** Text in place of a share whose whole is zero, for example of policies before the first assignment. */
  nothing: string;
  start: {
    title: string;
    text: string;
    table: string;
    directory: string;
    hr: string;
    call: string;
    then: string;
  };
  back: string;
}

export const overviewMessages: Record<Language, OverviewMessages> = {
  en: {
    overview: 'Overview',
    of: (company) => `Overview of ${company}`,
    learners: 'Active learners',
    risk: 'Mean risk score',
    training: 'Training finished',
    policies: 'Policies signed',
    nothing: 'none yet',
    start: {
      title: 'Where to begin',
      text: 'There are no learners yet. Add them in one of these ways:',
      table: 'Import a list from CSV or Excel',
      directory: 'Connect your directory, such as Entra ID or Okta',
      hr: 'Synchronise them with your HR system',
      call: 'Create them through the API',
      then: 'Then plan a campaign for them. The figures appear as they complete it.',
    },
    back: 'All companies',
  },
  de: {
    overview: 'Übersicht',
    of: (company) => `Übersicht: ${company}`,
    learners: 'Aktive Lernende',
    risk: 'Mittlerer Risikowert',
    training: 'Schulungen abgeschlossen',
    policies: 'Richtlinien unterschrieben',
    nothing: 'noch keine',
    start: {
      title: 'Womit Sie beginnen',
      text: 'Es gibt noch keine Lernenden. So kommen sie herein:',
      table: 'Importieren Sie eine Liste aus CSV oder Excel',
      directory: 'Verbinden Sie Ihr Verzeichnis, etwa Entra ID oder Okta',
      hr: 'Gleichen Sie mit Ihrem Personalsystem ab',
      call: 'Legen Sie sie über die API an',
      then: 'Planen Sie dann eine Kampagne für sie: Die Zahlen folgen aus dem, was sie tun.',
    },
    back: 'Alle Unternehmen',
  },
  fr: {
    overview: 'Vue d’ensemble',
    of: (company) => `Vue d’ensemble : ${company}`,
    learners: 'Apprenants actifs',
    risk: 'Score de risque moyen',
    training: 'Formations terminées',
    policies: 'Politiques signées',
    nothing: 'aucune pour l’instant',
    start: {
      title: 'Par où commencer',
      text: 'Il n’y a pas encore d’apprenants. Vous pouvez les faire entrer ainsi :',
      table: 'Importez une liste CSV ou Excel',
      directory: 'Connectez votre annuaire, par exemple Entra ID ou Okta',
      hr: 'Synchronisez-les avec votre système RH',
      call: 'Créez-les par l’API',
      then: 'Préparez ensuite une campagne pour eux : les chiffres découlent de ce qu’ils font.',
    },
    back: 'Toutes les entreprises',
  },
};
