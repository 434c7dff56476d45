import type { Language } from '../../../contract/languages.ts';

export interface ReportButtonPageMessages {
  title: string;
  about: string;
  enabled: string;
  forwardTo: string;
  forwardToHint: string;
  save: string;
  state: string;
  on: string;
  off: string;
  notSet: string;
  addresses: string;
  manifest: string;
  appPackage: string;
  tokenCreatedAt: string;
  previousUntil: string;
  internal: string;
  deploy: string;
  /** The steps in the Microsoft 365 admin center, in order. */
  steps: readonly string[];
  deployment: string;
  deployGmail: string;
  /** The steps in Google Cloud and in the Google Workspace admin console, in order. */
  gmailSteps: readonly string[];
  rotate: string;
  rotateAbout: string;
  overlap: string;
  /** Choices of how long the previous token works, by the number of hours. */
  overlaps: Readonly<Record<string, string>>;
  rotateButton: string;
  keep: string;
  notices: Record<'saved' | 'rotated', string>;
  /** Fault in the e-mail address. */
  forwardToFault: string;
}

export const reportButtonPageMessages: Record<Language, ReportButtonPageMessages> = {
  en: {
    title: 'Report button',
    about:
      'With the report button in Outlook and Gmail, people report a suspicious message with one click. If it is a simulation, they see that at once; every other message is passed on to your security team.',
    enabled: 'Enable the report button',
    forwardTo: 'E-mail address of the security team',
    forwardToHint:
      'Messages that are not simulations are passed on to this address. If it is empty, they are passed on to the reporting address of the organisation.',
    save: 'Save',
    state: 'Report button',
    on: 'Enabled',
    off: 'Disabled',
    notSet: 'The reporting address of the organisation',
    addresses: 'Files for Outlook and Gmail',
    manifest: 'Outlook: manifest (XML)',
    appPackage: 'Outlook: app package (ZIP)',
    deployment: 'Gmail: deployment (JSON)',
    tokenCreatedAt: 'Token created',
    previousUntil: 'The previous token works until',
    internal:
      'The files contain a token of your organisation, with which messages can be reported. Treat them as internal.',
    deploy: 'Deploy the button in Outlook',
    steps: [
      'Download the manifest.',
      'Open the Microsoft 365 admin center, and in it Settings, Integrated apps.',
      'Choose “Upload custom apps”, the app type “Office Add-in”, and the manifest.',
      'Choose the users, and accept the permission to read the open message.',
      'Wait: Outlook shows the button after up to 24 hours.',
    ],
    deployGmail: 'Deploy the button in Gmail',
    gmailSteps: [
      'Create a project in Google Cloud, and enable the Google Workspace Marketplace SDK and the Gmail API in it.',
      'In the Marketplace SDK, open “HTTP deployments”, and create a deployment with the content of the file.',
      'Publish the add-on privately for your organisation.',
      'Install it for all users in the Google Workspace admin console.',
    ],
    rotate: 'Replace the token',
    rotateAbout:
      'Replace the token if a manifest has become public. Afterwards, update the app in the Microsoft 365 admin center with the new manifest. Until then, the button works only as long as the previous token does.',
    overlap: 'The previous token works for',
    overlaps: {
      168: '7 more days',
      720: '30 more days',
      24: '24 more hours',
      0: 'No longer: it stops working at once',
    },
    rotateButton: 'Replace the token',
    keep: 'Keep the token',
    notices: { saved: 'The report button has been saved.', rotated: 'The token has been replaced.' },
    forwardToFault:
      'Please enter an e-mail address, or set the reporting address of the organisation and leave this field empty.',
  },
  de: {
    title: 'Meldeschaltfläche',
    about:
      'Mit der Schaltfläche in Outlook und Gmail melden Mitarbeitende eine verdächtige E-Mail mit einem Klick. Ist sie eine Simulation, erfahren sie es sofort. Jede andere E-Mail geht an Ihr Sicherheitsteam.',
    enabled: 'Schaltfläche in Betrieb nehmen',
    forwardTo: 'Adresse des Sicherheitsteams',
    forwardToHint:
      'E-Mails, die keine Simulationen sind, gehen an diese Adresse. Bleibt das Feld leer, gehen sie an die Meldeadresse der Organisation.',
    save: 'Speichern',
    state: 'Schaltfläche',
    on: 'In Betrieb',
    off: 'Ausgeschaltet',
    notSet: 'Die Meldeadresse der Organisation',
    addresses: 'Dateien für Outlook und Gmail',
    manifest: 'Outlook: Manifest (XML)',
    appPackage: 'Outlook: App-Paket (ZIP)',
    deployment: 'Gmail: Deployment (JSON)',
    tokenCreatedAt: 'Token erzeugt',
    previousUntil: 'Das vorherige Token gilt bis',
    internal:
      'Die Dateien enthalten ein Token Ihrer Organisation, mit dem sich E-Mails melden lassen. Behandeln Sie sie vertraulich.',
    deploy: 'Schaltfläche in Outlook bereitstellen',
    steps: [
      'Laden Sie das Manifest herunter.',
      'Öffnen Sie das Microsoft 365 Admin Center und darin „Einstellungen“, „Integrierte Apps“.',
      'Wählen Sie „Benutzerdefinierte Apps hochladen“, den App-Typ „Office-Add-In“ und das Manifest.',
      'Wählen Sie die Benutzer, und stimmen Sie zu, dass die App die geöffnete E-Mail lesen darf.',
      'Nach spätestens 24 Stunden erscheint die Schaltfläche in Outlook.',
    ],
    deployGmail: 'Schaltfläche in Gmail bereitstellen',
    gmailSteps: [
      'Legen Sie in Google Cloud ein Projekt an, und aktivieren Sie darin das Google Workspace Marketplace SDK und die Gmail API.',
      'Öffnen Sie im Marketplace SDK „HTTP deployments“, und legen Sie ein Deployment mit dem Inhalt der Datei an.',
      'Veröffentlichen Sie das Add-on privat für Ihre Organisation.',
      'Installieren Sie es in der Google-Admin-Konsole für alle Nutzer.',
    ],
    rotate: 'Token ersetzen',
    rotateAbout:
      'Ersetzen Sie das Token, wenn ein Manifest öffentlich geworden ist. Aktualisieren Sie danach die App im Microsoft 365 Admin Center mit dem neuen Manifest. Bis dahin funktioniert die Schaltfläche nur, solange das vorherige Token gilt.',
    overlap: 'Das vorherige Token gilt',
    overlaps: { 168: 'noch 7 Tage', 720: 'noch 30 Tage', 24: 'noch 24 Stunden', 0: 'ab sofort nicht mehr' },
    rotateButton: 'Token ersetzen',
    keep: 'Token behalten',
    notices: { saved: 'Die Einstellungen wurden gespeichert.', rotated: 'Das Token wurde ersetzt.' },
    forwardToFault:
      'Bitte geben Sie eine E-Mail-Adresse ein, oder legen Sie die Meldeadresse der Organisation fest und lassen Sie das Feld leer.',
  },
  fr: {
    title: 'Bouton de signalement',
    about:
      'Grâce au bouton dans Outlook et Gmail, chacun signale un e-mail suspect en un clic. Si c’est une simulation, la personne le sait aussitôt ; tout autre e-mail est transmis à votre équipe de sécurité.',
    enabled: 'Mettre le bouton en service',
    forwardTo: 'Adresse de l’équipe de sécurité',
    forwardToHint:
      'Les e-mails qui ne sont pas des simulations sont transmis à cette adresse. Si le champ est vide, ils sont transmis à l’adresse de signalement de l’organisation.',
    save: 'Enregistrer',
    state: 'Bouton',
    on: 'En service',
    off: 'Désactivé',
    notSet: 'L’adresse de signalement de l’organisation',
    addresses: 'Fichiers pour Outlook et Gmail',
    manifest: 'Outlook : manifeste (XML)',
    appPackage: 'Outlook : package d’application (ZIP)',
    deployment: 'Gmail : déploiement (JSON)',
    tokenCreatedAt: 'Jeton créé le',
    previousUntil: 'Le jeton précédent fonctionne jusqu’au',
    internal:
      'Les fichiers contiennent un jeton de votre organisation, qui permet de signaler des e-mails. Gardez-les en interne.',
    deploy: 'Déployer le bouton dans Outlook',
    steps: [
      'Téléchargez le manifeste.',
      'Ouvrez le centre d’administration Microsoft 365, puis « Paramètres », « Applications intégrées ».',
      'Choisissez « Charger des applications personnalisées », le type « Complément Office » et le manifeste.',
      'Choisissez les utilisateurs et autorisez l’application à lire l’e-mail ouvert.',
      'Patientez : le bouton apparaît dans Outlook sous 24 heures.',
    ],
    deployGmail: 'Déployer le bouton dans Gmail',
    gmailSteps: [
      'Créez un projet dans Google Cloud et activez-y le SDK Google Workspace Marketplace et l’API Gmail.',
      'Dans le SDK Marketplace, ouvrez « HTTP deployments » et créez un déploiement avec le contenu du fichier.',
      'Publiez le module complémentaire en privé pour votre organisation.',
      'Installez-le pour tous les utilisateurs dans la console d’administration Google.',
    ],
    rotate: 'Remplacer le jeton',
    rotateAbout:
      'Remplacez le jeton si un manifeste est devenu public. Mettez ensuite à jour l’application dans le centre d’administration Microsoft 365 avec le nouveau manifeste. Jusque-là, le bouton ne fonctionne que tant que le jeton précédent reste valable.',
    overlap: 'Le jeton précédent fonctionne',
    overlaps: {
      168: 'encore 7 jours',
      720: 'encore 30 jours',
      24: 'encore 24 heures',
      0: 'plus du tout, dès maintenant',
    },
    rotateButton: 'Remplacer le jeton',
    keep: 'Garder le jeton',
    notices: { saved: 'Le bouton de signalement a été enregistré.', rotated: 'Le jeton a été remplacé.' },
    forwardToFault:
      'Veuillez saisir une adresse e-mail, ou définir l’adresse de signalement de l’organisation et laisser ce champ vide.',
  },
};
