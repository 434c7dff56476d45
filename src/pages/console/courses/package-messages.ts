import type { Language } from '../../../contract/languages.ts';

/** Texts of the SCORM package of a course, and of the form of a new course. */
export interface PackageMessages {
  title: string;
  about: string;
  none: string;
  standard: string;
  standards: Readonly<Record<string, string>>;
  packageTitle: string;
  launch: string;
  file: string;
  size: string;
  files: string;
  uploadedOn: string;
  sha256: string;
  /** The features of packages that do not work here. */
  limits: readonly string[];
  limitsTitle: string;
  upload: string;
  replace: string;
  fileLabel: string;
  fileHint: string;
  remove: string;
  removeTitle: string;
  removeAbout: string;
  keep: string;
  newTitle: string;
  newAbout: string;
  name: string;
  nameHint: string;
  displayName: string;
  subject: string;
  difficulty: string;
  passMark: string;
  passMarkFault: string;
  languages: string;
  languagesFault: string;
  save: string;
  deleteCourse: string;
  deleteTitle: string;
  deleteAbout(name: string): string;
  inUse: string;
  faults: Record<'fileMissing' | 'unreadable' | 'encrypted' | 'noManifest' | 'version' | 'tooLarge', string>;
  refused(reason: string): string;
}

export const packageMessages: Record<Language, PackageMessages> = {
  en: {
    title: 'SCORM package',
    about: 'Learners take the course in this package, and its result is recorded.',
    none: 'The course has no package yet.',
    standard: 'Standard',
    standards: { scorm_1_2: 'SCORM 1.2', scorm_2004: 'SCORM 2004' },
    packageTitle: 'Title in the package',
    launch: 'First page',
    file: 'File',
    size: 'Size',
    files: 'Files',
    uploadedOn: 'Uploaded on',
    sha256: 'SHA-256',
    limitsTitle: 'What does not work here',
    limits: [
      'Learners choose the items (SCOs) of a package from a menu. Its sequencing rules are not applied.',
      'A score that is not a decimal, such as 85,5 or 100%, is rejected.',
      'The package runs in a sandbox: it reaches neither other pages of the service nor the learner’s session.',
    ],
    upload: 'Upload the package',
    replace: 'Replace the package',
    fileLabel: 'ZIP file',
    fileHint: 'SCORM 1.2 or 2004, with imsmanifest.xml at the top level.',
    remove: 'Delete the package',
    removeTitle: 'Delete the package?',
    removeAbout:
      'Nobody can start the package any more. Those who have it open can continue for at most 4 hours after opening it. Enrolments and results are kept.',
    keep: 'Back to the course',
    newTitle: 'Create a course',
    newAbout: 'Only your organisation has this course. You upload its SCORM package on the next page.',
    name: 'Short name',
    nameHint: 'Shown in lists and reports.',
    displayName: 'Name for learners',
    subject: 'Subject',
    difficulty: 'Difficulty',
    passMark: 'Pass mark in per cent',
    passMarkFault: 'Please enter a number from 0 to 100.',
    languages: 'Languages',
    languagesFault: 'Please choose at least one language.',
    save: 'Create the course',
    deleteCourse: 'Delete the course',
    deleteTitle: 'Delete the course?',
    deleteAbout: (name) => `“${name}” will be deleted with its package. This cannot be undone.`,
    inUse: 'People are enrolled in this course or have results of it, so it cannot be deleted.',
    faults: {
      fileMissing: 'Please choose a ZIP file.',
      unreadable: 'This is not a readable ZIP file. Please export the package again.',
      encrypted: 'This ZIP file is encrypted. Please export it without a password.',
      noManifest: 'This ZIP file has no imsmanifest.xml at its top level, so it is not a SCORM package.',
      version: 'This package does not name a supported version. Please export it as SCORM 1.2 or 2004.',
      tooLarge:
        'This file is too large, or your organisation has no space left for it. The operator of the service sets both limits.',
    },
    refused: (reason) => `This package cannot be used. The check says: ${reason}`,
  },
  de: {
    title: 'SCORM-Paket',
    about: 'Lernende absolvieren den Kurs in diesem Paket, und das Ergebnis wird aufgezeichnet.',
    none: 'Der Kurs hat noch kein Paket.',
    standard: 'Standard',
    standards: { scorm_1_2: 'SCORM 1.2', scorm_2004: 'SCORM 2004' },
    packageTitle: 'Titel im Paket',
    launch: 'Erste Seite',
    file: 'Datei',
    size: 'Größe',
    files: 'Dateien',
    uploadedOn: 'Hochgeladen am',
    sha256: 'SHA-256',
    limitsTitle: 'Was hier nicht funktioniert',
    limits: [
      'Lernende wählen die Elemente (SCOs) eines Pakets in einem Menü. Seine Regeln zur Abfolge werden nicht angewendet.',
      'Eine Punktzahl, die keine Dezimalzahl ist, etwa 85,5 oder 100%, wird abgelehnt.',
      'Das Paket läuft abgeschottet: Es erreicht weder andere Seiten des Dienstes noch die Sitzung der Lernenden.',
    ],
    upload: 'Paket hochladen',
    replace: 'Paket ersetzen',
    fileLabel: 'ZIP-Datei',
    fileHint: 'SCORM 1.2 oder 2004, mit imsmanifest.xml auf der obersten Ebene.',
    remove: 'Paket löschen',
    removeTitle: 'Paket löschen?',
    removeAbout:
      'Niemand kann das Paket mehr beginnen. Wer es geöffnet hat, kann bis höchstens 4 Stunden nach dem Öffnen weitermachen. Einschreibungen und Ergebnisse bleiben.',
    keep: 'Zurück zum Kurs',
    newTitle: 'Kurs anlegen',
    newAbout: 'Nur Ihre Organisation hat diesen Kurs. Sein SCORM-Paket laden Sie auf der nächsten Seite hoch.',
    name: 'Kurzname',
    nameHint: 'Erscheint in Listen und Berichten.',
    displayName: 'Name für Lernende',
    subject: 'Thema',
    difficulty: 'Schwierigkeit',
    passMark: 'Bestanden ab (in Prozent)',
    passMarkFault: 'Bitte geben Sie eine Zahl von 0 bis 100 ein.',
    languages: 'Sprachen',
    languagesFault: 'Bitte wählen Sie mindestens eine Sprache aus.',
    save: 'Kurs anlegen',
    deleteCourse: 'Kurs löschen',
    deleteTitle: 'Kurs löschen?',
    deleteAbout: (name) => `„${name}“ wird mit dem Paket gelöscht. Das lässt sich nicht rückgängig machen.`,
    inUse: 'In diesem Kurs ist jemand eingeschrieben, oder es gibt Ergebnisse. Er lässt sich deshalb nicht löschen.',
    faults: {
      fileMissing: 'Bitte wählen Sie eine ZIP-Datei aus.',
      unreadable: 'Das ist keine lesbare ZIP-Datei. Bitte exportieren Sie das Paket noch einmal.',
      encrypted: 'Diese ZIP-Datei ist verschlüsselt. Bitte exportieren Sie sie ohne Passwort.',
      noManifest: 'Diese ZIP-Datei hat kein imsmanifest.xml auf der obersten Ebene und ist deshalb kein SCORM-Paket.',
      version: 'Dieses Paket nennt keine unterstützte Version. Bitte exportieren Sie es als SCORM 1.2 oder 2004.',
      tooLarge:
        'Diese Datei ist zu groß, oder Ihre Organisation hat keinen Platz mehr dafür. Beide Grenzen legt der Betreiber des Dienstes fest.',
    },
    refused: (reason) => `Dieses Paket lässt sich nicht verwenden. Die Prüfung meldet: ${reason}`,
  },
  fr: {
    title: 'Paquet SCORM',
    about: 'Les apprenants suivent le cours dans ce paquet, et le résultat est enregistré.',
    none: 'Le cours n’a pas encore de paquet.',
    standard: 'Norme',
    standards: { scorm_1_2: 'SCORM 1.2', scorm_2004: 'SCORM 2004' },
    packageTitle: 'Titre dans le paquet',
    launch: 'Première page',
    file: 'Fichier',
    size: 'Taille',
    files: 'Fichiers',
    uploadedOn: 'Importé le',
    sha256: 'SHA-256',
    limitsTitle: 'Ce qui ne fonctionne pas ici',
    limits: [
      'Les apprenants choisissent les éléments (SCO) d’un paquet dans un menu. Ses règles d’enchaînement ne sont pas appliquées.',
      'Un score qui n’est pas un nombre décimal, comme 85,5 ou 100%, est refusé.',
      'Le paquet est isolé : il n’atteint ni les autres pages du service ni la session de l’apprenant.',
    ],
    upload: 'Importer le paquet',
    replace: 'Remplacer le paquet',
    fileLabel: 'Fichier ZIP',
    fileHint: 'SCORM 1.2 ou 2004, avec imsmanifest.xml à la racine.',
    remove: 'Supprimer le paquet',
    removeTitle: 'Supprimer le paquet ?',
    removeAbout:
      'Personne ne pourra plus commencer le paquet. Ceux qui l’ont ouvert peuvent continuer au plus 4 heures après l’avoir ouvert. Les inscriptions et les résultats sont conservés.',
    keep: 'Retour au cours',
    newTitle: 'Créer un cours',
    newAbout: 'Seule votre organisation a ce cours. Vous importerez son paquet SCORM à la page suivante.',
    name: 'Nom court',
    nameHint: 'Affiché dans les listes et les rapports.',
    displayName: 'Nom pour les apprenants',
    subject: 'Thème',
    difficulty: 'Difficulté',
    passMark: 'Seuil de réussite en pour cent',
    passMarkFault: 'Veuillez saisir un nombre de 0 à 100.',
    languages: 'Langues',
    languagesFault: 'Veuillez choisir au moins une langue.',
    save: 'Créer le cours',
    deleteCourse: 'Supprimer le cours',
    deleteTitle: 'Supprimer le cours ?',
    deleteAbout: (name) => `« ${name} » sera supprimé avec son paquet. Cette action est irréversible.`,
    inUse: 'Des personnes sont inscrites à ce cours ou y ont des résultats ; il ne peut donc pas être supprimé.',
    faults: {
      fileMissing: 'Veuillez choisir un fichier ZIP.',
      unreadable: 'Ce n’est pas un fichier ZIP lisible. Veuillez exporter à nouveau le paquet.',
      encrypted: 'Ce fichier ZIP est chiffré. Veuillez l’exporter sans mot de passe.',
      noManifest: 'Ce fichier ZIP n’a pas d’imsmanifest.xml à la racine ; ce n’est donc pas un paquet SCORM.',
      version: 'Ce paquet n’indique aucune version prise en charge. Veuillez l’exporter en SCORM 1.2 ou 2004.',
      tooLarge:
        'Ce fichier est trop volumineux, ou votre organisation n’a plus assez d’espace. L’exploitant du service fixe ces deux limites.',
    },
    refused: (reason) => `Ce paquet ne peut pas être utilisé. La vérification indique : ${reason}`,
  },
};
