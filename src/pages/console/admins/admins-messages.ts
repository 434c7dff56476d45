import type { Language } from '../../../contract/languages.ts';

export interface AdminsMessages {
  title: string;
  about: string;
  name: string;
  email: string;
  state: string;
  active: string;
  invited: string;
  since: string;
  passkeys: string;
  passkeysLabel(name: string): string;
  inviteTitle: string;
  firstName: string;
  lastName: string;
  language: string;
  invite: string;
}

export const adminsMessages: Record<Language, AdminsMessages> = {
  en: {
    title: 'Admins',
    about: 'Admins sign in here. They can see your organisation’s figures, and create keys and sources for it.',
    name: 'Name',
    email: 'E-mail address',
    state: 'Status',
    active: 'active',
    invited: 'invited',
    since: 'Invited on',
    passkeys: 'Passkeys',
    passkeysLabel: (name) => `Passkeys of ${name}`,
    inviteTitle: 'Invite an admin',
    firstName: 'First name',
    lastName: 'Last name',
    language: 'Language of the invitation',
    invite: 'Send invitation',
  },
  de: {
    title: 'Administratoren',
    about:
      'Administratoren melden sich hier an. Sie sehen die Zahlen Ihrer Organisation und legen Schlüssel und Quellen für sie an.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    state: 'Stand',
    active: 'aktiv',
    invited: 'eingeladen',
    since: 'Eingeladen am',
    passkeys: 'Passkeys',
    passkeysLabel: (name) => `Passkeys von ${name}`,
    inviteTitle: 'Administrator einladen',
    firstName: 'Vorname',
    lastName: 'Nachname',
    language: 'Sprache der Einladung',
    invite: 'Einladung senden',
  },
  fr: {
    title: 'Administrateurs',
    about:
      'Les administrateurs se connectent ici. Ils voient les chiffres de votre organisation et créent pour elle des clés et des sources.',
    name: 'Nom',
    email: 'Adresse e-mail',
    state: 'État',
    active: 'actif',
    invited: 'invité',
    since: 'Invité le',
    passkeys: 'Clés d’accès',
    passkeysLabel: (name) => `Clés d’accès de ${name}`,
    inviteTitle: 'Inviter un administrateur',
    firstName: 'Prénom',
    lastName: 'Nom',
    language: 'Langue de l’invitation',
    invite: 'Envoyer l’invitation',
  },
};
