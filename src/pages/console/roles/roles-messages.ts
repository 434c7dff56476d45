import type { ErrorCode } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';
import type { Notices } from '../../shared/parts/notice.ts';

export interface RolesMessages {
  title: string;
  about: string;
  builtIn: string;
  own: string;
  none: string;
  head: readonly [name: string, about: string, permissions: string, admins: string];
  everything: string;
  /** The number of permissions. */
  permissions(count: number): string;
  create: string;
  createTitle: string;
  name: string;
  description: string;
  descriptionHint: string;
  scopes: string;
  scopesAbout: string;
  save: string;
  back: string;
  noDescription: string;
  /** The note on a built-in role. */
  fixed: string;
  /** The note on the role of managers. */
  ofManagers: string;
  edit: string;
  editTitle(name: string): string;
  editAbout(admins: number): string;
  admins: string;
  noAdmins: string;
  assign: string;
  assignButton: string;
  assignAbout: string;
  nobody: string;
  remove: string;
  removeTitle(name: string): string;
  removeAbout: string;
  removeButton: string;
  inUse(admins: number): string;
  keep: string;
  notices: Notices;
  codes: Partial<Record<ErrorCode, string>>;
}

export const rolesMessages: Record<Language, RolesMessages> = {
  en: {
    title: 'Roles',
    about: 'A role decides what an admin can see and do here. Each admin has one role.',
    builtIn: 'Built-in roles',
    own: 'Roles of your organisation',
    none: 'Your organisation has no roles of its own.',
    head: ['Role', 'Purpose', 'Permissions', 'Admins'],
    everything: 'Everything, including what later versions add',
    permissions: (count) => (count === 1 ? '1 permission' : `${count} permissions`),
    create: 'Create a role',
    createTitle: 'Create a role',
    name: 'Name',
    description: 'Purpose',
    descriptionHint: 'Optional. At most 500 characters.',
    scopes: 'Permissions',
    scopesAbout: 'You can give the permissions that you have yourself.',
    save: 'Save role',
    back: 'Back to the roles',
    noDescription: 'No purpose stated',
    fixed: 'This role is built in. Its permissions cannot be changed.',
    ofManagers: 'Managers have these permissions only for the people whom they manage.',
    edit: 'Change this role',
    editTitle: (name) => `Change the role ${name}`,
    editAbout: (admins) =>
      admins === 0
        ? 'No admin has this role.'
        : `New permissions apply to ${admins === 1 ? 'the admin' : `all ${admins} admins`} with this role from the next click. If the role gets more permissions, all admins get a message about it.`,
    admins: 'Admins with this role',
    noAdmins: 'No admin has this role.',
    assign: 'Give this role to an admin',
    assignButton: 'Give role',
    assignAbout: 'The role replaces the current role of the admin. All admins get a message about it.',
    nobody: 'Please choose an admin',
    remove: 'Delete this role',
    removeTitle: (name) => `Delete the role ${name}`,
    removeAbout: 'No admin has this role. It cannot be restored after it is deleted.',
    removeButton: 'Delete role',
    inUse: (admins) =>
      `${admins === 1 ? 'One admin has' : `${admins} admins have`} this role. Give them another role first; then you can delete this one.`,
    keep: 'Keep this role',
    notices: {
      created: 'The role has been created.',
      saved: 'The role has been saved.',
      deleted: 'The role has been deleted.',
      assigned: 'The admin now has the role.',
      conflict: 'Somebody changed this role in the meantime. Please check the role and change it again.',
    },
    codes: {
      role_name_taken: 'Another role has this name. Please enter another name.',
      role_in_use:
        'An admin has this role, or an identity provider or the directory gives it to a group. Please change that first.',
      insufficient_scope: 'Your own role does not include all of these permissions.',
    },
  },
  de: {
    title: 'Rollen',
    about: 'Eine Rolle bestimmt, was Administratoren hier sehen und tun können. Jeder hat genau eine Rolle.',
    builtIn: 'Vorgegebene Rollen',
    own: 'Rollen Ihrer Organisation',
    none: 'Ihre Organisation hat keine eigenen Rollen.',
    head: ['Rolle', 'Zweck', 'Rechte', 'Administratoren'],
    everything: 'Alles, auch was in späteren Versionen hinzukommt',
    permissions: (count) => (count === 1 ? '1 Recht' : `${count} Rechte`),
    create: 'Rolle anlegen',
    createTitle: 'Rolle anlegen',
    name: 'Name',
    description: 'Zweck',
    descriptionHint: 'Freiwillig. Höchstens 500 Zeichen.',
    scopes: 'Rechte',
    scopesAbout: 'Sie können die Rechte vergeben, die Sie selbst haben.',
    save: 'Rolle speichern',
    back: 'Zurück zu den Rollen',
    noDescription: 'Kein Zweck angegeben',
    fixed: 'Diese Rolle ist vorgegeben. Ihre Rechte lassen sich nicht ändern.',
    ofManagers: 'Führungskräfte haben diese Rechte nur für die Personen, die sie führen.',
    edit: 'Diese Rolle ändern',
    editTitle: (name) => `Rolle ${name} ändern`,
    editAbout: (admins) =>
      admins === 0
        ? 'Niemand hat diese Rolle.'
        : `Neue Rechte gelten für ${admins === 1 ? 'die Person' : `alle ${admins} Personen`} mit dieser Rolle ab dem nächsten Klick. Erhält die Rolle weitere Rechte, werden alle Administratoren benachrichtigt.`,
    admins: 'Administratoren mit dieser Rolle',
    noAdmins: 'Niemand hat diese Rolle.',
    assign: 'Diese Rolle vergeben',
    assignButton: 'Rolle vergeben',
    assignAbout: 'Die Rolle ersetzt die bisherige. Alle Administratoren erhalten eine Nachricht darüber.',
    nobody: 'Bitte wählen',
    remove: 'Diese Rolle löschen',
    removeTitle: (name) => `Rolle ${name} löschen`,
    removeAbout: 'Niemand hat diese Rolle. Sie lässt sich nach dem Löschen nicht wiederherstellen.',
    removeButton: 'Rolle löschen',
    inUse: (admins) =>
      `${admins === 1 ? 'Eine Person hat' : `${admins} Personen haben`} diese Rolle. Geben Sie ihnen zuerst eine andere; danach können Sie diese löschen.`,
    keep: 'Rolle behalten',
    notices: {
      created: 'Die Rolle wurde angelegt.',
      saved: 'Die Rolle ist gespeichert.',
      deleted: 'Die Rolle wurde gelöscht.',
      assigned: 'Die Rolle wurde vergeben.',
      conflict: 'Jemand hat diese Rolle inzwischen geändert. Bitte prüfen Sie die Rolle und ändern Sie sie erneut.',
    },
    codes: {
      role_name_taken: 'Eine andere Rolle hat diesen Namen. Bitte geben Sie einen anderen ein.',
      role_in_use:
        'Jemand hat diese Rolle, oder ein Identitätsanbieter oder das Verzeichnis gibt sie einer Gruppe. Bitte ändern Sie das zuerst.',
      insufficient_scope: 'Ihre eigene Rolle enthält nicht alle diese Rechte.',
    },
  },
  fr: {
    title: 'Rôles',
    about: 'Un rôle détermine ce qu’un administrateur peut voir et faire ici. Chaque administrateur a un seul rôle.',
    builtIn: 'Rôles prédéfinis',
    own: 'Rôles de votre organisation',
    none: 'Votre organisation n’a pas de rôle propre.',
    head: ['Rôle', 'Objet', 'Droits', 'Administrateurs'],
    everything: 'Tout, y compris les ajouts des versions futures',
    permissions: (count) => (count === 1 ? '1 droit' : `${count} droits`),
    create: 'Créer un rôle',
    createTitle: 'Créer un rôle',
    name: 'Nom',
    description: 'Objet',
    descriptionHint: 'Facultatif. 500 caractères au maximum.',
    scopes: 'Droits',
    scopesAbout: 'Vous pouvez accorder les droits que vous avez vous-même.',
    save: 'Enregistrer le rôle',
    back: 'Retour aux rôles',
    noDescription: 'Objet non précisé',
    fixed: 'Ce rôle est prédéfini. Ses droits ne peuvent pas être modifiés.',
    ofManagers: 'Les responsables n’ont ces droits que pour les personnes de leur équipe.',
    edit: 'Modifier ce rôle',
    editTitle: (name) => `Modifier le rôle ${name}`,
    editAbout: (admins) =>
      admins === 0
        ? 'Aucun administrateur n’a ce rôle.'
        : `Les nouveaux droits s’appliquent ${admins === 1 ? 'à l’administrateur' : `aux ${admins} administrateurs`} ayant ce rôle dès le prochain clic. Si le rôle reçoit davantage de droits, tous les administrateurs en sont informés par message.`,
    admins: 'Administrateurs ayant ce rôle',
    noAdmins: 'Aucun administrateur n’a ce rôle.',
    assign: 'Attribuer ce rôle à un administrateur',
    assignButton: 'Attribuer le rôle',
    assignAbout: 'Le rôle remplace le rôle actuel. Tous les administrateurs en sont informés par message.',
    nobody: 'Veuillez choisir un administrateur',
    remove: 'Supprimer ce rôle',
    removeTitle: (name) => `Supprimer le rôle ${name}`,
    removeAbout: 'Aucun administrateur n’a ce rôle. Une fois supprimé, il ne peut pas être rétabli.',
    removeButton: 'Supprimer le rôle',
    inUse: (admins) =>
      `${admins === 1 ? 'Un administrateur a' : `${admins} administrateurs ont`} ce rôle. Attribuez-leur d’abord un autre rôle ; vous pourrez ensuite supprimer celui-ci.`,
    keep: 'Conserver ce rôle',
    notices: {
      created: 'Le rôle a été créé.',
      saved: 'Le rôle est enregistré.',
      deleted: 'Le rôle a été supprimé.',
      assigned: 'Le rôle a été attribué.',
      conflict: 'Ce rôle a été modifié entre-temps. Veuillez le vérifier et le modifier de nouveau.',
    },
    codes: {
      role_name_taken: 'Un autre rôle porte ce nom. Veuillez en saisir un autre.',
      role_in_use:
        'Un administrateur a ce rôle, ou un fournisseur d’identité ou l’annuaire l’attribue à un groupe. Veuillez d’abord modifier cela.',
      insufficient_scope: 'Votre propre rôle ne comprend pas tous ces droits.',
    },
  },
};
