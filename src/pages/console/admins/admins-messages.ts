import type { Language } from '../../../contract/languages.ts';

export interface AdminsMessages {
  title: string;
  about: string;
  name: string;
  email: string;
  state: string;
  active: string;
  fromDirectory: string;
  invited: string;
  since: string;
  inviteTitle: string;
  firstName: string;
  lastName: string;
  language: string;
  invite: string;
  role: string;
  roles: Record<'owner' | 'administrator' | 'author' | 'analyst' | 'auditor' | 'manager' | 'custom', string>;
  changeRole: string;
  changeRoleTitle: string;
  changeRoleAbout(name: string): string;
  changeRoleButton: string;
  emergencyAccess: string;
  back: string;
}

export const adminsMessages: Record<Language, AdminsMessages> = {
  en: {
    title: 'Admins',
    about: 'Admins sign in here. What each of them can see and do follows from the role.',
    name: 'Name',
    email: 'E-mail address',
    state: 'Status',
    active: 'active',
    fromDirectory: 'active, from the directory',
    invited: 'invited',
    since: 'Invited on',
    inviteTitle: 'Invite an admin',
    firstName: 'First name',
    lastName: 'Last name',
    language: 'Language of the invitation',
    invite: 'Send invitation',
    role: 'Role',
    roles: {
      owner: 'Owner: everything',
      administrator: 'Administrator: everything except roles',
      author: 'Author: courses, policies and simulations',
      analyst: 'Analyst: reading results and reports',
      auditor: 'Auditor: reading everything',
      manager: 'Manager: reading results of their own people',
      custom: 'A role of your organisation',
    },
    changeRole: 'Change role',
    changeRoleTitle: 'Change role',
    changeRoleAbout: (name) =>
      `${name} has the new permissions from the next click. All admins get a message about it.`,
    changeRoleButton: 'Change role',
    emergencyAccess:
      'Can sign in with a passkey even if admins must use the identity provider; all admins are notified each time',
    back: 'Back to the admins',
  },
  de: {
    title: 'Administratoren',
    about: 'Administratoren melden sich hier an. Was sie sehen und tun können, bestimmt ihre Rolle.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    state: 'Stand',
    active: 'aktiv',
    fromDirectory: 'aktiv, aus dem Verzeichnis',
    invited: 'eingeladen',
    since: 'Eingeladen am',
    inviteTitle: 'Administrator einladen',
    firstName: 'Vorname',
    lastName: 'Nachname',
    language: 'Sprache der Einladung',
    invite: 'Einladung senden',
    role: 'Rolle',
    roles: {
      owner: 'Inhaber: alles',
      administrator: 'Administrator: alles außer Rollen',
      author: 'Autor: Kurse, Richtlinien und Simulationen',
      analyst: 'Analyst: Ergebnisse und Berichte lesen',
      auditor: 'Prüfer: alles lesen',
      manager: 'Führungskraft: Ergebnisse der eigenen Mitarbeitenden lesen',
      custom: 'Eine Rolle Ihrer Organisation',
    },
    changeRole: 'Rolle ändern',
    changeRoleTitle: 'Rolle ändern',
    changeRoleAbout: (name) =>
      `Für ${name} gelten die neuen Rechte ab dem nächsten Klick. Alle Administratoren erhalten eine Nachricht darüber.`,
    changeRoleButton: 'Rolle ändern',
    emergencyAccess:
      'Kann sich mit einem Passkey auch dann anmelden, wenn der Identitätsanbieter vorgeschrieben ist; alle Administratoren werden jedes Mal benachrichtigt',
    back: 'Zurück zu den Administratoren',
  },
  fr: {
    title: 'Administrateurs',
    about: 'Les administrateurs se connectent ici. Leur rôle détermine ce qu’ils peuvent voir et faire.',
    name: 'Nom',
    email: 'Adresse e-mail',
    state: 'État',
    active: 'actif',
    fromDirectory: 'actif, de l’annuaire',
    invited: 'invité',
    since: 'Invité le',
    inviteTitle: 'Inviter un administrateur',
    firstName: 'Prénom',
    lastName: 'Nom',
    language: 'Langue de l’invitation',
    invite: 'Envoyer l’invitation',
    role: 'Rôle',
    roles: {
      owner: 'Propriétaire : tout',
      administrator: 'Administrateur : tout sauf les rôles',
      author: 'Auteur : cours, politiques et simulations',
      analyst: 'Analyste : lire les résultats et les rapports',
      auditor: 'Auditeur : tout lire',
      manager: 'Responsable : lire les résultats de sa propre équipe',
      custom: 'Un rôle de votre organisation',
    },
    changeRole: 'Modifier le rôle',
    changeRoleTitle: 'Modifier le rôle',
    changeRoleAbout: (name) =>
      `Les nouveaux droits de ${name} s’appliquent dès le prochain clic. Tous les administrateurs en sont informés par message.`,
    changeRoleButton: 'Modifier le rôle',
    emergencyAccess:
      'Peut se connecter avec une clé d’accès même si le fournisseur d’identité est obligatoire ; tous les administrateurs en sont informés à chaque fois',
    back: 'Retour aux administrateurs',
  },
};
