import type { Language } from '../../../contract/languages.ts';

/** Texts of the forms for a policy and its draft. */
export interface PolicyFormMessages {
  newTitle: string;
  newAbout: string;
  templateTitle: string;
  templateAbout: string;
  noTemplates: string;
  draftTitle(name: string): string;
  draftAbout: string;
  name: string;
  file: string;
  fileHint: string;
  /** Hint that a draft keeps its file. */
  keptFile(name: string): string;
  category: string;
  categoryHint: string;
  ownerName: string;
  ownerEmail: string;
  isPublic: string;
  template: string;
  templateName: string;
  templateNameHint: string;
  save: string;
  changed: string;
  faults: Record<
    'fileMissing' | 'encrypted' | 'unreadable' | 'tooLong' | 'tooComplex' | 'tooLarge' | 'template',
    string
  >;
  /** Fault about active content, with the sentence from the API. */
  active(reason: string): string;
}

export const policyFormMessages: Record<Language, PolicyFormMessages> = {
  en: {
    newTitle: 'Upload a policy',
    newAbout: 'The policy is saved as a draft. You can check it before you publish it.',
    templateTitle: 'Create a policy from a template',
    templateAbout: 'The policy is saved as a draft with the file of the template.',
    noTemplates: 'There are no published templates.',
    draftTitle: (name) => `Draft of “${name}”`,
    draftAbout: 'Learners see these changes once you publish the draft.',
    name: 'Name',
    file: 'PDF file',
    fileHint: 'At most 25 MiB, without a password and without scripts.',
    keptFile: (name) => `The draft keeps the file ${name} unless you choose another one.`,
    category: 'Category',
    categoryHint: 'Your own label, such as IT. It can stay empty.',
    ownerName: 'Name of the owner',
    ownerEmail: 'E-mail address of the owner',
    isPublic: 'All learners can read the policy, even if it is not assigned to them',
    template: 'Template',
    templateName: 'Name of the policy',
    templateNameHint: 'Leave it empty to use the name of the template.',
    save: 'Save the draft',
    changed: 'Somebody else has changed the policy in the meantime. Please open it again and repeat your changes.',
    faults: {
      fileMissing: 'Please choose a PDF file. If you had chosen one, please choose it again.',
      encrypted: 'This PDF has a password. Please save it without one.',
      unreadable: 'This is not a readable PDF. Please export the document as PDF again.',
      tooLong: 'This PDF has more than 10,000 pages.',
      tooComplex: 'This PDF is too complex to be checked. Please print it to a new PDF.',
      tooLarge: 'This file is too large. A PDF can have at most 25 MiB, and unused files of your organisation 1 GiB.',
      template: 'Please choose one of the templates.',
    },
    active: (reason) =>
      `This PDF has active content, which could harm readers. Please print it to a new PDF. The check says: ${reason}`,
  },
  de: {
    newTitle: 'Richtlinie hochladen',
    newAbout: 'Die Richtlinie wird als Entwurf gespeichert. Sie können sie ansehen, bevor Sie sie veröffentlichen.',
    templateTitle: 'Richtlinie aus einer Vorlage erstellen',
    templateAbout: 'Die Richtlinie wird mit der Datei der Vorlage als Entwurf gespeichert.',
    noTemplates: 'Es gibt keine veröffentlichten Vorlagen.',
    draftTitle: (name) => `Entwurf von „${name}“`,
    draftAbout: 'Lernende sehen diese Änderungen, sobald Sie den Entwurf veröffentlichen.',
    name: 'Name',
    file: 'PDF-Datei',
    fileHint: 'Höchstens 25 MiB, ohne Passwort und ohne Skripte.',
    keptFile: (name) => `Der Entwurf behält die Datei ${name}, wenn Sie keine andere auswählen.`,
    category: 'Kategorie',
    categoryHint: 'Ihre eigene Bezeichnung, zum Beispiel IT. Das Feld kann leer bleiben.',
    ownerName: 'Name der verantwortlichen Person',
    ownerEmail: 'E-Mail-Adresse der verantwortlichen Person',
    isPublic: 'Alle Lernenden können die Richtlinie lesen, auch wenn sie ihnen nicht zugewiesen ist',
    template: 'Vorlage',
    templateName: 'Name der Richtlinie',
    templateNameHint: 'Leer für den Namen der Vorlage.',
    save: 'Entwurf speichern',
    changed:
      'Jemand hat die Richtlinie inzwischen geändert. Bitte öffnen Sie sie neu und wiederholen Sie Ihre Änderungen.',
    faults: {
      fileMissing:
        'Bitte wählen Sie eine PDF-Datei aus. Falls Sie schon eine gewählt hatten, wählen Sie sie bitte noch einmal.',
      encrypted: 'Dieses PDF hat ein Passwort. Bitte speichern Sie es ohne Passwort.',
      unreadable: 'Das ist kein lesbares PDF. Bitte exportieren Sie das Dokument noch einmal als PDF.',
      tooLong: 'Dieses PDF hat mehr als 10.000 Seiten.',
      tooComplex: 'Dieses PDF ist zu komplex für die Prüfung. Bitte drucken Sie es in ein neues PDF.',
      tooLarge:
        'Diese Datei ist zu groß. Ein PDF darf höchstens 25 MiB haben, die ungenutzten Dateien Ihrer Organisation zusammen 1 GiB.',
      template: 'Bitte wählen Sie eine der Vorlagen aus.',
    },
    active: (reason) =>
      `Dieses PDF hat aktive Inhalte, die Lesenden schaden könnten. Bitte drucken Sie es in ein neues PDF. Die Prüfung meldet: ${reason}`,
  },
  fr: {
    newTitle: 'Importer une politique',
    newAbout: 'La politique est enregistrée comme brouillon. Vous pouvez la relire avant de la publier.',
    templateTitle: 'Créer une politique à partir d’un modèle',
    templateAbout: 'La politique est enregistrée comme brouillon avec le fichier du modèle.',
    noTemplates: 'Aucun modèle n’est publié.',
    draftTitle: (name) => `Brouillon de « ${name} »`,
    draftAbout: 'Les apprenants verront ces modifications dès que vous publierez le brouillon.',
    name: 'Nom',
    file: 'Fichier PDF',
    fileHint: '25 Mio au plus, sans mot de passe ni script.',
    keptFile: (name) => `Le brouillon garde le fichier ${name}, sauf si vous en choisissez un autre.`,
    category: 'Catégorie',
    categoryHint: 'Votre propre libellé, par exemple Informatique. Le champ peut rester vide.',
    ownerName: 'Nom du responsable',
    ownerEmail: 'Adresse e-mail du responsable',
    isPublic: 'Tous les apprenants peuvent lire la politique, même si elle ne leur est pas attribuée',
    template: 'Modèle',
    templateName: 'Nom de la politique',
    templateNameHint: 'Vide pour reprendre le nom du modèle.',
    save: 'Enregistrer le brouillon',
    changed: 'Quelqu’un a modifié la politique entre-temps. Veuillez la rouvrir et refaire vos modifications.',
    faults: {
      fileMissing: 'Veuillez choisir un fichier PDF. Si vous en aviez déjà choisi un, veuillez le choisir à nouveau.',
      encrypted: 'Ce PDF est protégé par un mot de passe. Veuillez l’enregistrer sans mot de passe.',
      unreadable: 'Ce n’est pas un PDF lisible. Veuillez exporter à nouveau le document en PDF.',
      tooLong: 'Ce PDF a plus de 10 000 pages.',
      tooComplex: 'Ce PDF est trop complexe pour être vérifié. Veuillez l’imprimer dans un nouveau PDF.',
      tooLarge:
        'Ce fichier est trop volumineux. Un PDF peut faire 25 Mio au plus, et les fichiers inutilisés de votre organisation 1 Gio.',
      template: 'Veuillez choisir l’un des modèles.',
    },
    active: (reason) =>
      `Ce PDF a un contenu actif qui pourrait nuire aux lecteurs. Veuillez l’imprimer dans un nouveau PDF. La vérification indique : ${reason}`,
  },
};
