import type { Scope } from '../../../auth/caller.ts';
import type { Language } from '../../../contract/languages.ts';

/** The part of a scope before the colon. */
export type ScopeResource = Scope extends infer S ? (S extends `${infer R}:${string}` ? R : S) : never;
/** The part of a scope after the colon; `use` for a scope without one. */
export type ScopeAction = 'read' | 'write' | 'delete' | 'remind' | 'send' | 'use';

interface ScopeNames {
  resources: Record<ScopeResource, string>;
  actions: Record<ScopeAction, string>;
}

export function toScopeResource(scope: string): ScopeResource {
  return scope.split(':')[0] as ScopeResource;
}

export function toScopeAction(scope: string): ScopeAction {
  return (scope.split(':')[1] ?? 'use') as ScopeAction;
}

/** Names of resources and of the actions on them, for scopes. */
export const scopeNames: Record<Language, ScopeNames> = {
  en: {
    resources: {
      admins: 'Admins',
      api_keys: 'API keys',
      audit_log: 'Audit log',
      breaches: 'Data breaches',
      campaigns: 'Campaigns',
      companies: 'Managed companies',
      company: 'Organisation and its settings',
      corrections: 'Corrections of results',
      courses: 'Courses and enrolments',
      events: 'Events',
      groups: 'Groups',
      identity_providers: 'Identity providers',
      learners: 'People',
      policies: 'Policies and signatures',
      policy_templates: 'Policy templates',
      reports: 'Reports',
      roles: 'Roles',
      scim: 'Provisioning by a directory (SCIM)',
      simulations: 'Phishing simulations',
      sources: 'Learning platforms and other sources',
      webhook_endpoints: 'Webhooks',
    },
    actions: {
      read: 'See',
      write: 'Create and change',
      delete: 'Delete',
      remind: 'Send reminders and invitations',
      send: 'Send to people',
      use: 'Use',
    },
  },
  de: {
    resources: {
      admins: 'Administratoren',
      api_keys: 'API-Schlüssel',
      audit_log: 'Audit-Log',
      breaches: 'Datenlecks',
      campaigns: 'Kampagnen',
      companies: 'Betreute Unternehmen',
      company: 'Organisation und ihre Einstellungen',
      corrections: 'Korrekturen von Ergebnissen',
      courses: 'Kurse und Einschreibungen',
      events: 'Ereignisse',
      groups: 'Gruppen',
      identity_providers: 'Identitätsanbieter',
      learners: 'Personen',
      policies: 'Richtlinien und Unterschriften',
      policy_templates: 'Vorlagen für Richtlinien',
      reports: 'Berichte',
      roles: 'Rollen',
      scim: 'Bereitstellung durch ein Verzeichnis (SCIM)',
      simulations: 'Phishing-Simulationen',
      sources: 'Lernplattformen und andere Quellen',
      webhook_endpoints: 'Webhooks',
    },
    actions: {
      read: 'Ansehen',
      write: 'Anlegen und ändern',
      delete: 'Löschen',
      remind: 'Erinnerungen und Einladungen senden',
      send: 'An Personen senden',
      use: 'Verwenden',
    },
  },
  fr: {
    resources: {
      admins: 'Administrateurs',
      api_keys: 'Clés d’API',
      audit_log: 'Journal d’audit',
      breaches: 'Fuites de données',
      campaigns: 'Campagnes',
      companies: 'Entreprises gérées',
      company: 'Organisation et ses paramètres',
      corrections: 'Corrections de résultats',
      courses: 'Cours et inscriptions',
      events: 'Événements',
      groups: 'Groupes',
      identity_providers: 'Fournisseurs d’identité',
      learners: 'Personnes',
      policies: 'Politiques et signatures',
      policy_templates: 'Modèles de politiques',
      reports: 'Rapports',
      roles: 'Rôles',
      scim: 'Provisionnement par un annuaire (SCIM)',
      simulations: 'Simulations d’hameçonnage',
      sources: 'Plateformes de formation et autres sources',
      webhook_endpoints: 'Webhooks',
    },
    actions: {
      read: 'Consulter',
      write: 'Créer et modifier',
      delete: 'Supprimer',
      remind: 'Envoyer des rappels et des invitations',
      send: 'Envoyer aux personnes',
      use: 'Utiliser',
    },
  },
};
