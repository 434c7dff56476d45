import type { Language } from '../../../contract/languages.ts';
import type { Notices } from '../../shared/parts/notice.ts';

export interface AdminMessages {
  passkeysAndSessions: string;
  entries: string;
  resendTitle: string;
  resendAbout(email: string): string;
  resend: string;
  removeTitle: string;
  remove: string;
  removeAbout(name: string): string;
  removeInvitedAbout(name: string): string;
  removeButton: string;
  keep: string;
  /** The reason why the admin cannot be removed here. */
  fromDirectory: string;
  notices: Notices;
}

export const adminMessages: Record<Language, AdminMessages> = {
  en: {
    passkeysAndSessions: 'Passkeys and sessions',
    entries: 'Entries in the audit log',
    resendTitle: 'Invitation',
    resendAbout: (email) => `The invitation to ${email} has not been accepted yet.`,
    resend: 'Send the invitation again',
    removeTitle: 'Remove admin',
    remove: 'Remove this admin',
    removeAbout: (name) =>
      `${name} is signed out everywhere and loses all access to the console. What ${name} has created, such as API keys, stays. All admins get a message about it.`,
    removeInvitedAbout: (name) => `The invitation of ${name} stops working.`,
    removeButton: 'Remove admin',
    keep: 'Keep this admin',
    fromDirectory:
      'Your directory manages this admin. To remove access, change the person or the groups in the directory.',
    notices: {
      invited: 'The invitation is on its way.',
      removed: 'The admin was removed.',
      role: 'The role has been changed.',
    },
  },
  de: {
    passkeysAndSessions: 'Passkeys und Sitzungen',
    entries: 'Einträge im Audit-Log',
    resendTitle: 'Einladung',
    resendAbout: (email) => `Die Einladung an ${email} wurde noch nicht angenommen.`,
    resend: 'Einladung erneut senden',
    removeTitle: 'Administrator entfernen',
    remove: 'Diesen Administrator entfernen',
    removeAbout: (name) =>
      `${name} wird überall abgemeldet und hat keinen Zugang zur Konsole mehr. Was ${name} angelegt hat, etwa API-Schlüssel, bleibt bestehen. Alle Administratoren erhalten eine Nachricht darüber.`,
    removeInvitedAbout: (name) => `Die Einladung von ${name} wird ungültig.`,
    removeButton: 'Administrator entfernen',
    keep: 'Administrator behalten',
    fromDirectory:
      'Über diesen Administrator entscheidet Ihr Verzeichnis. Um den Zugang zu entfernen, ändern Sie dort die Person oder die Gruppen.',
    notices: {
      invited: 'Die Einladung ist unterwegs.',
      removed: 'Der Administrator wurde entfernt.',
      role: 'Die Rolle ist geändert.',
    },
  },
  fr: {
    passkeysAndSessions: 'Clés d’accès et sessions',
    entries: 'Entrées du journal d’audit',
    resendTitle: 'Invitation',
    resendAbout: (email) => `L’invitation envoyée à ${email} n’a pas encore été acceptée.`,
    resend: 'Renvoyer l’invitation',
    removeTitle: 'Supprimer l’administrateur',
    remove: 'Supprimer cet administrateur',
    removeAbout: (name) =>
      `${name} est déconnecté partout et n’a plus accès à la console. Ce que ${name} a créé, par exemple des clés d’API, est conservé. Tous les administrateurs en sont informés par message.`,
    removeInvitedAbout: (name) => `L’invitation de ${name} ne fonctionne plus.`,
    removeButton: 'Supprimer l’administrateur',
    keep: 'Conserver cet administrateur',
    fromDirectory:
      'Votre annuaire décide pour cet administrateur. Pour retirer l’accès, modifiez la personne ou les groupes dans l’annuaire.',
    notices: {
      invited: 'L’invitation est en route.',
      removed: 'L’administrateur a été supprimé.',
      role: 'Le rôle est modifié.',
    },
  },
};
