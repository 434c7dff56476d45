import { commonMessages } from '../shared/sign-in-messages.ts';
import type { Language } from '../../contract/languages.ts';

interface StartMessages {
  title: string;
  about: string;
  console: string;
  learn: string;
  docs: string;
  health: string;
  refusedTitle: string;
  missing: string;
  toStart: string;
}

const OWN: Record<Language, StartMessages> = {
  en: {
    title: 'Security Awareness Program Service',
    about:
      'This service runs security awareness programmes: training, policies and phishing simulations, for people and through an API.',
    console: 'Console, for administrators',
    learn: 'Training, for employees',
    docs: 'Documentation and API reference',
    health: 'Service status',
    refusedTitle: 'This request was rejected',
    missing: 'The URL might be misspelled, or the page might have moved.',
    toStart: 'Go to the start page',
  },
  de: {
    title: 'Security Awareness Program Service',
    about:
      'Dieser Dienst führt Programme für Sicherheitsbewusstsein durch: Schulungen, Richtlinien und Phishing-Simulationen, für Menschen und per API.',
    console: 'Konsole, für die Administration',
    learn: 'Schulungen, für Beschäftigte',
    docs: 'Dokumentation und API-Referenz',
    health: 'Zustand des Dienstes',
    refusedTitle: 'Diese Anfrage wurde abgelehnt',
    missing: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
    toStart: 'Zur Startseite',
  },
  fr: {
    title: 'Security Awareness Program Service',
    about:
      'Ce service gère des programmes de sensibilisation à la sécurité : formations, politiques et simulations d’hameçonnage, pour les personnes et par API.',
    console: 'Console, pour l’administration',
    learn: 'Formations, pour le personnel',
    docs: 'La documentation et la référence de l’API',
    health: 'État du service',
    refusedTitle: 'Cette requête a été refusée',
    missing: 'L’adresse est peut-être mal orthographiée, ou la page a été déplacée.',
    toStart: 'Aller à la page d’accueil',
  },
};

/** The texts of the start page and of failures outside the other pages. */
export const startMessages = {
  en: { ...commonMessages.en, ...OWN.en },
  de: { ...commonMessages.de, ...OWN.de },
  fr: { ...commonMessages.fr, ...OWN.fr },
};
