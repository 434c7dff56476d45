import type { Language } from '../../../contract/languages.ts';

export interface AuditLogMessages {
  title: string;
  about: string;
  none: string;
  filters: string;
  since: string;
  until: string;
  operation: string;
  actor: string;
  actorId: string;
  outcome: string;
  outcomes: Record<'' | 'done' | 'denied', string>;
  apply: string;
  reset: string;
  time: string;
  what: string;
  affected: string;
  address: string;
  kinds: Record<
    'key' | 'grant' | 'admin' | 'learner' | 'source' | 'webhook_endpoint' | 'identity_provider' | 'operator',
    string
  >;
  /** Number of records that a call named in one field. */
  targets(field: string, count: number): string;
}

export const auditLogMessages: Record<Language, AuditLogMessages> = {
  en: {
    title: 'Audit log',
    about: 'Who changed what, and which calls were denied, newest first. Entries are kept for 400 days.',
    none: 'No entry matches these filters.',
    filters: 'Filters of the audit log',
    since: 'From (UTC)',
    until: 'To (UTC)',
    operation: 'Operation',
    actor: 'Who',
    actorId: 'ID of an admin, a key or a source',
    outcome: 'Outcome',
    outcomes: { '': 'All', done: 'done', denied: 'denied' },
    apply: 'Apply',
    reset: 'Remove filters',
    time: 'Time (UTC)',
    what: 'What',
    affected: 'Affected',
    address: 'Address',
    kinds: {
      key: 'API key',
      grant: 'AI client',
      admin: 'admin',
      learner: 'learner',
      source: 'source',
      webhook_endpoint: 'webhook endpoint',
      identity_provider: 'identity provider',
      operator: 'operator',
    },
    targets: (field, count) => `${field}: ${count}`,
  },
  de: {
    title: 'Audit-Log',
    about:
      'Wer was geändert hat und welche Aufrufe abgelehnt wurden, das Neueste zuerst. Einträge werden 400 Tage aufbewahrt.',
    none: 'Kein Eintrag entspricht diesen Filtern.',
    filters: 'Filter des Audit-Logs',
    since: 'Von (UTC)',
    until: 'Bis (UTC)',
    operation: 'Operation',
    actor: 'Wer',
    actorId: 'ID eines Administrators, eines Schlüssels oder einer Quelle',
    outcome: 'Ergebnis',
    outcomes: { '': 'Alle', done: 'ausgeführt', denied: 'abgelehnt' },
    apply: 'Anwenden',
    reset: 'Filter entfernen',
    time: 'Zeit (UTC)',
    what: 'Was',
    affected: 'Betroffen',
    address: 'Adresse',
    kinds: {
      key: 'API-Schlüssel',
      grant: 'KI-Client',
      admin: 'Administrator',
      learner: 'Lernender',
      source: 'Quelle',
      webhook_endpoint: 'Webhook-Endpunkt',
      identity_provider: 'Identitätsanbieter',
      operator: 'Betreiber',
    },
    targets: (field, count) => `${field}: ${count}`,
  },
  fr: {
    title: 'Journal d’audit',
    about:
      'Qui a modifié quoi, et quels appels ont été refusés, du plus récent au plus ancien. Les entrées sont conservées 400 jours.',
    none: 'Aucune entrée ne correspond à ces filtres.',
    filters: 'Filtres du journal d’audit',
    since: 'Du (UTC)',
    until: 'Au (UTC)',
    operation: 'Opération',
    actor: 'Qui',
    actorId: 'ID d’un administrateur, d’une clé ou d’une source',
    outcome: 'Résultat',
    outcomes: { '': 'Tous', done: 'effectué', denied: 'refusé' },
    apply: 'Appliquer',
    reset: 'Supprimer les filtres',
    time: 'Heure (UTC)',
    what: 'Quoi',
    affected: 'Concernés',
    address: 'Adresse',
    kinds: {
      key: 'clé d’API',
      grant: 'client IA',
      admin: 'administrateur',
      learner: 'apprenant',
      source: 'source',
      webhook_endpoint: 'point de terminaison webhook',
      identity_provider: 'fournisseur d’identité',
      operator: 'exploitant',
    },
    targets: (field, count) => `${field} : ${count}`,
  },
};
