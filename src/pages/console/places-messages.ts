import type { Language } from '../../contract/languages.ts';

/** Names of the pages of the console. */
export type PlaceName =
  | ('overview' | 'companies' | 'people' | 'groups' | 'campaigns' | 'courses' | 'policies' | 'reports')
  | ('simulationPlans' | 'allSimulations' | 'simulationResults' | 'simulationTemplates' | 'simulationSettings')
  | (
      | 'company'
      | 'branding'
      | 'reportButton'
      | 'admins'
      | 'roles'
      | 'signIn'
      | 'signIns'
      | 'auditLog'
      | 'keys'
      | 'sources'
      | 'applications'
    )
  | ('passkeys' | 'sessions');

/** Names of the sections: pages that the navigation shows together, behind one link. */
export type SectionName = 'simulations' | 'settings' | 'account';

export interface PlacesMessages extends Record<PlaceName | SectionName, string> {
  /** The name of the page with a manager's people. */
  yourPeople: string;
}

export const placesMessages: Record<Language, PlacesMessages> = {
  en: {
    overview: 'Overview',
    companies: 'Compare',
    people: 'People',
    yourPeople: 'Your people',
    groups: 'Groups',
    campaigns: 'Campaigns',
    simulations: 'Simulations',
    simulationPlans: 'Planned and running',
    allSimulations: 'All',
    simulationResults: 'Results',
    simulationTemplates: 'Templates',
    simulationSettings: 'Settings',
    courses: 'Courses',
    policies: 'Policies',
    reports: 'Reports',
    settings: 'Settings',
    company: 'Organisation',
    branding: 'Branding',
    reportButton: 'Report button',
    admins: 'Admins',
    roles: 'Roles',
    signIn: 'Authentication',
    signIns: 'Sign-in log',
    auditLog: 'Audit log',
    keys: 'API keys',
    sources: 'Sources',
    applications: 'Applications',
    account: 'Your account',
    passkeys: 'Passkeys',
    sessions: 'Sessions',
  },
  de: {
    overview: 'Übersicht',
    companies: 'Vergleich',
    people: 'Personen',
    yourPeople: 'Ihre Mitarbeitenden',
    groups: 'Gruppen',
    campaigns: 'Kampagnen',
    simulations: 'Simulationen',
    simulationPlans: 'Geplante und laufende',
    allSimulations: 'Alle',
    simulationResults: 'Ergebnisse',
    simulationTemplates: 'Vorlagen',
    simulationSettings: 'Einstellungen',
    courses: 'Kurse',
    policies: 'Richtlinien',
    reports: 'Berichte',
    settings: 'Einstellungen',
    company: 'Organisation',
    branding: 'Erscheinungsbild',
    reportButton: 'Meldeschaltfläche',
    admins: 'Administratoren',
    roles: 'Rollen',
    signIn: 'Authentifizierung',
    signIns: 'Anmeldeprotokoll',
    auditLog: 'Audit-Log',
    keys: 'API-Schlüssel',
    sources: 'Quellen',
    applications: 'Anwendungen',
    account: 'Ihr Konto',
    passkeys: 'Passkeys',
    sessions: 'Sitzungen',
  },
  fr: {
    overview: 'Vue d’ensemble',
    companies: 'Comparaison',
    people: 'Personnes',
    yourPeople: 'Votre équipe',
    groups: 'Groupes',
    campaigns: 'Campagnes',
    simulations: 'Simulations',
    simulationPlans: 'Prévues et en cours',
    allSimulations: 'Toutes',
    simulationResults: 'Résultats',
    simulationTemplates: 'Modèles',
    simulationSettings: 'Paramètres',
    courses: 'Cours',
    policies: 'Politiques',
    reports: 'Rapports',
    settings: 'Paramètres',
    company: 'Organisation',
    branding: 'Identité visuelle',
    reportButton: 'Bouton de signalement',
    admins: 'Administrateurs',
    roles: 'Rôles',
    signIn: 'Authentification',
    signIns: 'Journal des connexions',
    auditLog: 'Journal d’audit',
    keys: 'Clés d’API',
    sources: 'Sources',
    applications: 'Applications',
    account: 'Votre compte',
    passkeys: 'Clés d’accès',
    sessions: 'Sessions',
  },
};
