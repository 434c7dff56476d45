import type { Language } from '../../../contract/languages.ts';

/** Texts of the figure about simulations. The caller passes numbers and dates already formatted. */
export interface SimulationFigureMessages {
  title: string;
  none: string;
  all: string;
  stages: readonly [sent: string, opened: string, visited: string, compromised: string];
  reported: string;
  text: (counts: { reported: string; compromised: string; sent: string }) => string;
  opens: string;
  head: string;
  caption: string;
}

export const simulationFigureMessages: Record<Language, SimulationFigureMessages> = {
  en: {
    title: 'Phishing simulations',
    none: 'No simulation has sent a message yet.',
    all: 'All simulations',
    stages: ['Sent', 'Opened', 'Visited', 'Gave data away'],
    reported: 'Reported',
    text: ({ reported, compromised, sent }) =>
      `Of ${sent} messages, ${compromised} led somebody to give data away, and ${reported} were reported.`,
    opens: 'E-mail programs open messages by themselves, so “Opened” says little.',
    head: 'Simulation',
    caption: 'What recipients did with the messages of each simulation',
  },
  de: {
    title: 'Phishing-Simulationen',
    none: 'Noch hat keine Simulation eine Nachricht versandt.',
    all: 'Alle Simulationen',
    stages: ['Versandt', 'Geöffnet', 'Besucht', 'Daten gegeben'],
    reported: 'Gemeldet',
    text: ({ reported, compromised, sent }) =>
      `Bei ${compromised} von ${sent} Nachrichten wurden Daten preisgegeben; ${reported} wurden gemeldet.`,
    opens: 'Mailprogramme öffnen Nachrichten von selbst, daher sagt „geöffnet“ wenig aus.',
    head: 'Simulation',
    caption: 'Was Empfänger mit den Nachrichten jeder Simulation getan haben',
  },
  fr: {
    title: 'Simulations d’hameçonnage',
    none: 'Aucune simulation n’a encore envoyé de message.',
    all: 'Toutes les simulations',
    stages: ['Envoyés', 'Ouverts', 'Page visitée', 'Données livrées'],
    reported: 'Signalés',
    text: ({ reported, compromised, sent }) =>
      `Sur ${sent} messages, ${compromised} ont conduit quelqu’un à livrer des données, et ${reported} ont été signalés.`,
    opens: 'Les logiciels de messagerie ouvrent des messages d’eux-mêmes : « ouvert » en dit peu.',
    head: 'Simulation',
    caption: 'Ce que les destinataires ont fait des messages de chaque simulation',
  },
};
