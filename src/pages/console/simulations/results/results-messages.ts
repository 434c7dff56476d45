import type { Language } from '../../../../contract/languages.ts';

/** Texts of the page of results over a year. */
interface ResultsMessages {
  title: string;
  about: string;
  none: string;
  trend: string;
  trendAbout: string;
  monthHead: readonly [month: string, sent: string, reported: string, firstReport: string, clicked: string];
  adjustedReported: string;
  adjustedClicked: string;
  simulations: string;
  simulationHead: readonly [name: string, sent: string, reported: string, firstReport: string, clicked: string];
  minutes(value: string): string;
  repeat: string;
  repeatAbout: string;
  repeatNone: string;
  repeatHead: readonly [person: string, messages: string, clicked: string, reported: string];
  back: string;
  next: string;
  first: string;
}

export const resultsMessages: Record<Language, ResultsMessages> = {
  en: {
    title: 'Results of simulations',
    about: 'Reports come first: one early report protects everybody. A click is where learning begins.',
    none: 'No message was sent in the last twelve months.',
    trend: 'The last twelve months',
    trendAbout:
      'The adjusted shares allow for difficulty: they show what the share would be if the messages of every month were as hard as those of the whole year.',
    monthHead: ['Month', 'Sent', 'Reported', 'First report', 'Link followed'],
    adjustedReported: 'Reported, adjusted',
    adjustedClicked: 'Link followed, adjusted',
    simulations: 'Simulations',
    simulationHead: ['Name', 'Sent', 'Reported', 'First report', 'Link followed'],
    minutes: (value) => `${value} min`,
    repeat: 'People who followed links repeatedly',
    repeatAbout: 'These people followed the link in at least two simulations. Offer them help, not blame.',
    repeatNone: 'Nobody has followed the link in two simulations.',
    repeatHead: ['Person', 'Messages', 'Link followed', 'Reported'],
    back: 'Results of simulations',
    next: 'Next page',
    first: 'First page',
  },
  de: {
    title: 'Ergebnisse der Simulationen',
    about: 'Meldungen stehen vorn: Eine frühe Meldung schützt alle. Ein Klick ist der Anfang des Lernens.',
    none: 'In den letzten zwölf Monaten wurde keine Nachricht versendet.',
    trend: 'Die letzten zwölf Monate',
    trendAbout:
      'Die bereinigten Anteile berücksichtigen die Schwierigkeit: So hoch wäre der Anteil, wenn die Nachrichten jedes Monats so schwierig wären wie die des ganzen Jahres.',
    monthHead: ['Monat', 'Versendet', 'Gemeldet', 'Erste Meldung', 'Link geöffnet'],
    adjustedReported: 'Gemeldet, bereinigt',
    adjustedClicked: 'Link geöffnet, bereinigt',
    simulations: 'Simulationen',
    simulationHead: ['Name', 'Versendet', 'Gemeldet', 'Erste Meldung', 'Link geöffnet'],
    minutes: (value) => `${value} Min.`,
    repeat: 'Personen, die mehrfach Links geöffnet haben',
    repeatAbout:
      'Diese Personen haben in mindestens zwei Simulationen den Link geöffnet. Bieten Sie Hilfe an, keine Vorwürfe.',
    repeatNone: 'Niemand hat in zwei Simulationen den Link geöffnet.',
    repeatHead: ['Person', 'Nachrichten', 'Link geöffnet', 'Gemeldet'],
    back: 'Ergebnisse der Simulationen',
    next: 'Nächste Seite',
    first: 'Erste Seite',
  },
  fr: {
    title: 'Résultats des simulations',
    about:
      'Les signalements d’abord : un signalement rapide protège tout le monde. Un clic est le début d’un apprentissage.',
    none: 'Aucun message n’a été envoyé au cours des douze derniers mois.',
    trend: 'Les douze derniers mois',
    trendAbout:
      'Les parts corrigées tiennent compte de la difficulté : elles montrent la part qu’on aurait si les messages de chaque mois étaient aussi difficiles que ceux de toute l’année.',
    monthHead: ['Mois', 'Envoyés', 'Signalés', 'Premier signalement', 'Lien suivi'],
    adjustedReported: 'Signalés, corrigé',
    adjustedClicked: 'Lien suivi, corrigé',
    simulations: 'Simulations',
    simulationHead: ['Nom', 'Envoyés', 'Signalés', 'Premier signalement', 'Lien suivi'],
    minutes: (value) => `${value} min`,
    repeat: 'Personnes qui ont suivi des liens à plusieurs reprises',
    repeatAbout:
      'Ces personnes ont suivi le lien dans au moins deux simulations. Proposez de l’aide plutôt que des reproches.',
    repeatNone: 'Personne n’a suivi le lien dans deux simulations.',
    repeatHead: ['Personne', 'Messages', 'Lien suivi', 'Signalés'],
    back: 'Résultats des simulations',
    next: 'Page suivante',
    first: 'Première page',
  },
};
