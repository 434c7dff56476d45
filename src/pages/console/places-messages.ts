import type { Language } from '../../contract/languages.ts';

/** The pages of the console. */
export type PlaceName =
  | ('overview' | 'people' | 'simulations' | 'reports')
  | ('admins' | 'signIn' | 'signIns' | 'keys' | 'sources' | 'applications')
  | ('passkeys' | 'sessions');

/** The pages that the navigation shows together, behind one link. */
export type SectionName = 'settings' | 'account';

export interface PlacesMessages extends Record<PlaceName | SectionName, string> {
  /** The name of the people of a manager. */
  yourPeople: string;
}

export const placesMessages: Record<Language, PlacesMessages> = {
  en: {
    overview: 'Overview',
    people: 'People',
    yourPeople: 'Your people',
    simulations: 'Simulations',
    reports: 'Reports',
    settings: 'Settings',
    admins: 'Admins',
    signIn: 'Sign-in',
    signIns: 'Sign-ins',
    keys: 'API keys',
    sources: 'Sources',
    applications: 'Applications',
    account: 'Your account',
    passkeys: 'Passkeys',
    sessions: 'Sessions',
  },
  de: {
    overview: 'Übersicht',
    people: 'Personen',
    yourPeople: 'Ihre Mitarbeitenden',
    simulations: 'Simulationen',
    reports: 'Berichte',
    settings: 'Einstellungen',
    admins: 'Administratoren',
    signIn: 'Anmeldung',
    signIns: 'Anmeldungen',
    keys: 'API-Schlüssel',
    sources: 'Quellen',
    applications: 'Anwendungen',
    account: 'Ihr Konto',
    passkeys: 'Passkeys',
    sessions: 'Sitzungen',
  },
  fr: {
    overview: 'Vue d’ensemble',
    people: 'Personnes',
    yourPeople: 'Votre équipe',
    simulations: 'Simulations',
    reports: 'Rapports',
    settings: 'Paramètres',
    admins: 'Administrateurs',
    signIn: 'Connexion',
    signIns: 'Connexions',
    keys: 'Clés d’API',
    sources: 'Sources',
    applications: 'Applications',
    account: 'Votre compte',
    passkeys: 'Clés d’accès',
    sessions: 'Sessions',
  },
};
