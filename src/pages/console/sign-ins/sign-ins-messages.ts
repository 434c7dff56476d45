import type { SignInFailure } from '../../../identity/sign-in-log.ts';
import type { Language } from '../../../contract/languages.ts';

export interface SignInsMessages {
  title: string;
  about: string;
  none: string;
  time: string;
  person: string;
  kinds: Record<'admin' | 'learner', string>;
  nobody: string;
  outcome: string;
  succeeded: string;
  confirmed: string;
  reasons: Record<SignInFailure, string>;
  filters: string;
  since: string;
  until: string;
  outcomes: Record<'' | 'succeeded' | 'failed', string>;
  apply: string;
  reset: string;
}

export const signInsMessages: Record<Language, SignInsMessages> = {
  en: {
    title: 'Sign-in log',
    about: 'Sign-ins and failed attempts of the last 180 days, newest first.',
    none: 'No sign-in matches these filters.',
    time: 'Time (UTC)',
    person: 'Person',
    kinds: { admin: 'admin', learner: 'learner' },
    nobody: 'nobody known',
    outcome: 'Outcome',
    succeeded: 'signed in',
    confirmed: 'confirmed',
    reasons: {
      link_expired: 'failed: the link had expired',
      link_used: 'failed: the link had already been used',
      person_inactive: 'failed: the person cannot sign in',
      passkey_rejected: 'failed: the passkey was rejected',
      not_allowed: 'failed: not allowed',
      email_missing: 'failed: the provider reported no e-mail address',
      email_unverified: 'failed: the provider has not verified the e-mail address',
      person_unknown: 'failed: nobody here has the e-mail address',
      identity_differs: 'failed: somebody else at the provider uses the account',
      person_differs: 'failed: another person gave the confirmation',
      sign_in_not_recent: 'failed: the provider did not ask the person to sign in again',
      role_missing: 'failed: not in any group that has a role',
      learner_refused: 'failed: the learner could not be created',
    },
    filters: 'Filters of the sign-ins',
    since: 'From (UTC)',
    until: 'To (UTC)',
    outcomes: { '': 'All', succeeded: 'succeeded', failed: 'failed' },
    apply: 'Apply',
    reset: 'Remove filters',
  },
  de: {
    title: 'Anmeldeprotokoll',
    about: 'Anmeldungen und gescheiterte Versuche der letzten 180 Tage, die neuesten zuerst.',
    none: 'Solche Anmeldungen gibt es nicht.',
    time: 'Zeit (UTC)',
    person: 'Person',
    kinds: { admin: 'Administrator', learner: 'Lernender' },
    nobody: 'niemand Bekanntes',
    outcome: 'Ergebnis',
    succeeded: 'angemeldet',
    confirmed: 'bestätigt',
    reasons: {
      link_expired: 'gescheitert: Link war abgelaufen',
      link_used: 'gescheitert: Link war schon benutzt',
      person_inactive: 'gescheitert: Person kann sich nicht anmelden',
      passkey_rejected: 'gescheitert: Passkey wurde abgelehnt',
      not_allowed: 'gescheitert: nicht erlaubt',
      email_missing: 'gescheitert: Anbieter hat keine Adresse gemeldet',
      email_unverified: 'gescheitert: Anbieter hat die Adresse nicht geprüft',
      person_unknown: 'gescheitert: Niemand hat hier die Adresse',
      identity_differs: 'gescheitert: Jemand anderes beim Anbieter benutzt das Konto',
      person_differs: 'gescheitert: Eine andere Person hat bestätigt',
      sign_in_not_recent: 'gescheitert: Der Anbieter hat die Person nicht neu angemeldet',
      role_missing: 'gescheitert: in keiner Gruppe mit einer Rolle',
      learner_refused: 'gescheitert: Person konnte nicht angelegt werden',
    },
    filters: 'Filter der Anmeldungen',
    since: 'Von (UTC)',
    until: 'Bis (UTC)',
    outcomes: { '': 'Alle', succeeded: 'erfolgreich', failed: 'gescheitert' },
    apply: 'Anwenden',
    reset: 'Filter entfernen',
  },
  fr: {
    title: 'Journal des connexions',
    about: 'Connexions et tentatives échouées des 180 derniers jours, de la plus récente à la plus ancienne.',
    none: 'Il n’y a aucune connexion de ce type.',
    time: 'Heure (UTC)',
    person: 'Personne',
    kinds: { admin: 'administrateur', learner: 'apprenant' },
    nobody: 'personne de connu',
    outcome: 'Résultat',
    succeeded: 'connexion réussie',
    confirmed: 'identité confirmée',
    reasons: {
      link_expired: 'échec : le lien avait expiré',
      link_used: 'échec : le lien avait déjà servi',
      person_inactive: 'échec : la personne ne peut pas se connecter',
      passkey_rejected: 'échec : la clé d’accès a été refusée',
      not_allowed: 'échec : non autorisé',
      email_missing: 'échec : le fournisseur n’a communiqué aucune adresse',
      email_unverified: 'échec : le fournisseur n’a pas vérifié l’adresse',
      person_unknown: 'échec : personne n’a cette adresse ici',
      identity_differs: 'échec : une autre personne chez le fournisseur utilise le compte',
      person_differs: 'échec : une autre personne a confirmé',
      sign_in_not_recent: 'échec : le fournisseur n’a pas demandé à la personne de se reconnecter',
      role_missing: 'échec : dans aucun groupe ayant un rôle',
      learner_refused: 'échec : l’apprenant n’a pas pu être créé',
    },
    filters: 'Filtres des connexions',
    since: 'Du (UTC)',
    until: 'Au (UTC)',
    outcomes: { '': 'Tous', succeeded: 'réussi', failed: 'échoué' },
    apply: 'Appliquer',
    reset: 'Supprimer les filtres',
  },
};
