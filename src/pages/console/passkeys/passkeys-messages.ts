import type { Language } from '../../../contract/languages.ts';

export interface PasskeysMessages {
  title: string;
  about: string;
  none: string;
  name: string;
  made: string;
  used: string;
  never: string;
  removeTitle: string;
  removeAbout(name: string): string;
  removeOfAnother(name: string, owner: string): string;
  ofAnother(owner: string, email: string): string;
  noneOfAnother: string;
  backToAdmins: string;
  remove(name: string): string;
  removeShort: string;
  removeButton: string;
  keep: string;
  required: string;
  confirmFirst: string;
  confirm: string;
  addTitle: string;
  nameHint: string;
  nameFault: string;
  add: string;
  addFault: string;
  needsScript: string;
  enter: string;
  enterFault: string;
  sessionsTitle: string;
  otherSessions: string;
  sessions: string;
  endAll: string;
}

export const passkeysMessages: Record<Language, PasskeysMessages> = {
  en: {
    title: 'Passkeys',
    about:
      'With a passkey, you sign in without an e-mail: your device confirms that it is you, with your fingerprint, your face or its PIN. Create one on each device that you use.',
    none: 'You do not have a passkey yet.',
    name: 'Name',
    made: 'Created',
    used: 'Last used',
    never: 'never',
    removeTitle: 'Remove this passkey?',
    removeAbout: (name) => `“${name}” will no longer sign you in. Remove it from the device, too.`,
    removeOfAnother: (name, owner) => `“${name}” will no longer sign ${owner} in.`,
    ofAnother: (owner, email) =>
      `Passkeys of ${owner} (${email}). Remove any that ${owner} does not recognise, or whose device is lost.`,
    noneOfAnother: 'This admin does not have a passkey.',
    backToAdmins: 'Back to all admins',
    remove: (name) => `Remove the passkey “${name}”`,
    removeShort: 'Remove',
    removeButton: 'Remove passkey',
    keep: 'Keep passkey',
    required: 'Your organisation requires a passkey for the console. Add one to continue.',
    confirmFirst: 'Before you add a passkey, confirm that it is you.',
    confirm: 'Confirm',
    addTitle: 'Add a passkey',
    nameHint: 'A name for the device, such as “Laptop”.',
    nameFault: 'Please enter a name of at most 200 ordinary characters.',
    add: 'Add a passkey',
    addFault:
      'No passkey was added. You might have cancelled, the device might already have one, or you might already have ten.',
    needsScript: 'Passkeys need a browser that runs scripts.',
    enter: 'Sign in with a passkey',
    enterFault: 'The passkey did not sign you in. Try again, or request a link.',
    sessionsTitle: 'Your sessions',
    otherSessions: 'End individual sessions, or all except this one',
    sessions:
      'If you have lost a device or were signed in elsewhere, end all of your sessions, including this one. That also removes all of your passkeys: you sign in again with a link sent by e-mail, and add new ones.',
    endAll: 'End all my sessions and remove my passkeys',
  },
  de: {
    title: 'Passkeys',
    about:
      'Mit einem Passkey melden Sie sich ohne E-Mail an: Ihr Gerät weist nach, dass Sie es sind, mit Fingerabdruck, Gesicht oder PIN. Legen Sie auf jedem Gerät, das Sie benutzen, einen an.',
    none: 'Sie haben noch keinen Passkey.',
    name: 'Name',
    made: 'Angelegt',
    used: 'Zuletzt benutzt',
    never: 'nie',
    removeTitle: 'Diesen Passkey entfernen?',
    removeAbout: (name) => `„${name}“ meldet Sie dann nicht mehr an. Entfernen Sie ihn auch auf dem Gerät.`,
    removeOfAnother: (name, owner) => `„${name}“ meldet ${owner} dann nicht mehr an.`,
    ofAnother: (owner, email) =>
      `Die Passkeys von ${owner} (${email}). Entfernen Sie einen, den ${owner} nicht kennt oder dessen Gerät verloren ist.`,
    noneOfAnother: 'Dieser Administrator hat keinen Passkey.',
    backToAdmins: 'Zurück zu den Administratoren',
    remove: (name) => `Den Passkey „${name}“ entfernen`,
    removeShort: 'Entfernen',
    removeButton: 'Passkey entfernen',
    keep: 'Behalten',
    required: 'Ihre Organisation verlangt für die Konsole einen Passkey. Fügen Sie einen hinzu, um fortzufahren.',
    confirmFirst: 'Bevor Sie einen Passkey hinzufügen, bestätigen Sie, dass Sie es sind.',
    confirm: 'Bestätigen',
    addTitle: 'Passkey hinzufügen',
    nameHint: 'Wie Sie das Gerät nennen, zum Beispiel „Laptop“.',
    nameFault: 'Bitte geben Sie einen Namen aus höchstens 200 gewöhnlichen Zeichen ein.',
    add: 'Passkey hinzufügen',
    addFault:
      'Es wurde kein Passkey hinzugefügt. Vielleicht haben Sie abgebrochen, das Gerät hat schon einen, oder Sie haben bereits zehn.',
    needsScript: 'Passkeys brauchen einen Browser, der Skripte ausführt.',
    enter: 'Mit Passkey anmelden',
    enterFault: 'Der Passkey hat Sie nicht angemeldet. Versuchen Sie es noch einmal, oder fordern Sie einen Link an.',
    sessionsTitle: 'Ihre Sitzungen',
    otherSessions: 'Einzelne Sitzungen beenden, oder alle außer dieser',
    sessions:
      'Wenn Sie ein Gerät verloren haben oder anderswo angemeldet waren, beenden Sie alle Ihre Sitzungen, auch diese. Dabei werden auch alle Ihre Passkeys entfernt: Sie melden sich dann mit einem zugesandten Link an und fügen neue hinzu.',
    endAll: 'Alle meine Sitzungen beenden und Passkeys entfernen',
  },
  fr: {
    title: 'Clés d’accès',
    about:
      'Avec une clé d’accès (passkey), vous vous connectez sans e-mail : votre appareil prouve que c’est bien vous, par une empreinte, votre visage ou son code. Créez-en une sur chaque appareil que vous utilisez.',
    none: 'Vous n’avez pas encore de clé d’accès.',
    name: 'Nom',
    made: 'Créée',
    used: 'Dernier usage',
    never: 'jamais',
    removeTitle: 'Retirer cette clé d’accès ?',
    removeAbout: (name) => `« ${name} » ne vous connectera plus. Retirez-la aussi de l’appareil.`,
    removeOfAnother: (name, owner) => `« ${name} » ne connectera plus ${owner}.`,
    ofAnother: (owner, email) =>
      `Les clés d’accès de ${owner} (${email}). Retirez celle que ${owner} ne reconnaît pas ou dont l’appareil est perdu.`,
    noneOfAnother: 'Cet administrateur n’a pas de clé d’accès.',
    backToAdmins: 'Retour aux administrateurs',
    remove: (name) => `Retirer la clé d’accès « ${name} »`,
    removeShort: 'Retirer',
    removeButton: 'Retirer la clé d’accès',
    keep: 'La garder',
    required: 'Votre organisation exige une clé d’accès pour la console. Ajoutez-en une pour continuer.',
    confirmFirst: 'Avant d’ajouter une clé d’accès, confirmez votre identité.',
    confirm: 'Confirmer',
    addTitle: 'Ajouter une clé d’accès',
    nameHint: 'Le nom que vous donnez à l’appareil, par exemple « Portable ».',
    nameFault: 'Veuillez saisir un nom de 200 caractères ordinaires au plus.',
    add: 'Ajouter une clé d’accès',
    addFault:
      'Aucune clé d’accès n’a été ajoutée. Vous avez peut-être annulé, l’appareil en a déjà une, ou vous en avez dix.',
    needsScript: 'Les clés d’accès demandent un navigateur qui exécute des scripts.',
    enter: 'Se connecter avec une clé d’accès',
    enterFault: 'La clé d’accès ne vous a pas connecté(e). Réessayez, ou demandez un lien.',
    sessionsTitle: 'Vos sessions',
    otherSessions: 'Mettre fin à certaines sessions, ou à toutes sauf celle-ci',
    sessions:
      'Si vous avez perdu un appareil ou étiez connecté(e) ailleurs, mettez fin à toutes vos sessions, y compris celle-ci. Toutes vos clés d’accès sont alors retirées : vous vous reconnectez par un lien envoyé par e-mail, puis en ajoutez de nouvelles.',
    endAll: 'Mettre fin à mes sessions et retirer mes clés d’accès',
  },
};
