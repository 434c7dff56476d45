import type { Language } from '../../../contract/languages.ts';

export interface ProvisioningMessages {
  title: string;
  about: string;
  enabled: string;
  joins: string;
  roles: string;
  rolesHint: string;
  group: (place: number) => string;
  role: (place: number) => string;
  none: string;
  removedGroup: string;
  skipped: string;
  reasons: Record<
    'admin_invited' | 'email_taken' | 'email_domain_not_allowed' | 'too_many_admins' | 'last_owner',
    string
  >;
  save: string;
  back: string;
}

export const provisioningMessages: Record<Language, ProvisioningMessages> = {
  en: {
    title: 'Admins from the directory',
    about:
      'Members of these groups become admins automatically, and are removed once they leave. The directory must have added them to the group. Nobody can change their role, name or address here.',
    enabled: 'The directory provisions admins',
    joins: 'Also take over invited admins who have the e-mail address of a member',
    roles: 'Roles by group',
    rolesHint: 'A member of several groups gets the role of the first. Leave a group empty to remove the line.',
    group: (place) => `Group ${place}`,
    role: (place) => `Role of group ${place}`,
    none: 'No group',
    removedGroup: 'A group that was deleted',
    skipped: 'Members who cannot become admins',
    reasons: {
      admin_invited: 'an invited admin has the e-mail address',
      email_taken: 'another admin from the directory has the e-mail address',
      email_domain_not_allowed: 'the e-mail address is outside the organisation’s domain',
      too_many_admins: 'the directory already provisions 1,000 admins',
      last_owner: 'the last active owner keeps the role',
    },
    save: 'Save',
    back: 'Back to the admins',
  },
  de: {
    title: 'Administratoren aus dem Verzeichnis',
    about:
      'Mitglieder dieser Gruppen werden von selbst Administratoren und werden entfernt, sobald sie ausscheiden. Das Verzeichnis muss sie in die Gruppe aufgenommen haben. Ihre Rolle, ihr Name und ihre Adresse lassen sich hier nicht ändern.',
    enabled: 'Das Verzeichnis bestimmt Administratoren',
    joins: 'Auch eingeladene Administratoren übernehmen, die die Adresse eines Mitglieds haben',
    roles: 'Rollen nach Gruppe',
    rolesHint:
      'Wer mehreren Gruppen angehört, bekommt die Rolle der ersten. Lassen Sie eine Gruppe leer, um die Zeile zu entfernen.',
    group: (place) => `Gruppe ${place}`,
    role: (place) => `Rolle der Gruppe ${place}`,
    none: 'Keine Gruppe',
    removedGroup: 'Eine gelöschte Gruppe',
    skipped: 'Mitglieder, die keine Administratoren werden können',
    reasons: {
      admin_invited: 'ein eingeladener Administrator hat die Adresse',
      email_taken: 'ein anderer Administrator des Verzeichnisses hat die Adresse',
      email_domain_not_allowed: 'die Adresse liegt außerhalb der Domain der Organisation',
      too_many_admins: 'das Verzeichnis bestimmt bereits 1.000 Administratoren',
      last_owner: 'der letzte aktive Inhaber behält die Rolle',
    },
    save: 'Speichern',
    back: 'Zurück zu den Administratoren',
  },
  fr: {
    title: 'Administrateurs de l’annuaire',
    about:
      'Les membres de ces groupes deviennent administrateurs d’eux-mêmes et sont retirés dès qu’ils les quittent. L’annuaire doit les avoir ajoutés au groupe. Personne ne peut modifier ici leur rôle, leur nom ou leur adresse.',
    enabled: 'L’annuaire désigne des administrateurs',
    joins: 'Reprendre aussi les administrateurs invités qui ont l’adresse d’un membre',
    roles: 'Rôles par groupe',
    rolesHint:
      'Un membre de plusieurs groupes reçoit le rôle du premier. Laissez un groupe vide pour supprimer la ligne.',
    group: (place) => `Groupe ${place}`,
    role: (place) => `Rôle du groupe ${place}`,
    none: 'Aucun groupe',
    removedGroup: 'Un groupe supprimé',
    skipped: 'Membres qui ne peuvent pas devenir administrateurs',
    reasons: {
      admin_invited: 'un administrateur invité a cette adresse',
      email_taken: 'un autre administrateur de l’annuaire a cette adresse',
      email_domain_not_allowed: 'l’adresse est en dehors du domaine de l’organisation',
      too_many_admins: 'l’annuaire désigne déjà 1 000 administrateurs',
      last_owner: 'le dernier propriétaire actif garde le rôle',
    },
    save: 'Enregistrer',
    back: 'Retour aux administrateurs',
  },
};
