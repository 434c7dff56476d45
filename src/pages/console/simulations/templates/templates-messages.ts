import type { Language } from '../../../../contract/languages.ts';

/** Texts of the pages of simulation templates. */
export interface TemplatesMessages {
  title: string;
  about: string;
  none: string;
  newTemplate: string;
  newTitle: string;
  editTitle(name: string): string;
  filters: string;
  apply: string;
  reset: string;
  all: string;
  method: string;
  methods: Record<'email' | 'qr_code' | 'attachment', string>;
  difficulty: string;
  difficultyOf(level: string): string;
  language: string;
  languages: string;
  languageNames: Record<'en' | 'de' | 'fr', string>;
  source: string;
  sources: Record<'managed' | 'custom', string>;
  retired: string;
  showRetired: string;
  pages: string;
  next: string;
  first: string;
  backToList: string;
  picture: string;
  cues: string;
  lesson: string;
  edit(language: string): string;
  addLanguage(language: string): string;
  plan: string;
  copy: string;
  retire: string;
  restore: string;
  remove: string;
  removeTitle: string;
  removeAbout(name: string): string;
  keep: string;
  name: string;
  nameHint: string;
  senderName: string;
  senderMailbox: string;
  senderMailboxHint: string;
  subject: string;
  subjectHint: string;
  text: string;
  textHint: string;
  html: string;
  htmlHint: string;
  cuesHint: string;
  lessonHint: string;
  attachmentName: string;
  attachmentTitle: string;
  attachmentText: string;
  save: string;
  /** The fault of a field, with the reason from the API in English. */
  fault(reason: string): string;
  changed: string;
  inUse: string;
  notices: Record<'created' | 'saved' | 'retired' | 'restored' | 'removed', string>;
}

export const templatesMessages: Record<Language, TemplatesMessages> = {
  en: {
    title: 'Simulation templates',
    about: 'Each picture shows the message as people see it. Open a template to see what gives the message away.',
    none: 'No template matches.',
    newTemplate: 'Write a template',
    newTitle: 'Write a template',
    editTitle: (name) => `Edit “${name}”`,
    filters: 'Filter templates',
    apply: 'Apply',
    reset: 'Show all',
    all: 'All',
    method: 'Sent as',
    methods: { email: 'E-mail with a link', qr_code: 'E-mail with a QR code', attachment: 'E-mail with a PDF' },
    difficulty: 'Difficulty',
    difficultyOf: (level) => `Difficulty ${level} of 5`,
    language: 'Language',
    languages: 'Languages',
    languageNames: { en: 'English', de: 'German', fr: 'French' },
    source: 'Origin',
    sources: { managed: 'Supplied', custom: 'Your own' },
    retired: 'Retired',
    showRetired: 'Retired templates',
    pages: 'Templates',
    next: 'Next page',
    first: 'First page',
    backToList: 'All templates',
    picture: 'The message',
    cues: 'What gives it away',
    lesson: 'The lesson after the click',
    edit: (language) => `Edit the ${language} text`,
    addLanguage: (language) => `Add the text in ${language}`,
    plan: 'Plan a simulation with this template',
    copy: 'Copy as your own template',
    retire: 'Retire',
    restore: 'Use again',
    remove: 'Delete',
    removeTitle: 'Delete this template?',
    removeAbout: (name) =>
      `“${name}” will be deleted. If a simulation or a campaign uses it, it will be retired instead.`,
    keep: 'Keep the template',
    name: 'Name',
    nameHint: 'Recipients do not see it.',
    senderName: 'Name of the sender',
    senderMailbox: 'Mailbox of the sender',
    senderMailboxHint: 'The part before the @, in lower case. You choose the domain when you plan a simulation.',
    subject: 'Subject',
    subjectHint: 'You can use {{firstName}}, {{lastName}} and {{companyName}}.',
    text: 'Message as text',
    textHint: 'For programs that show no HTML. {{link}} stands for the link.',
    html: 'Message as HTML',
    htmlHint: 'Text, lists, tables and plain styles, and the link <a href="{{link}}">. A QR code is {{qrCode}}.',
    cuesHint:
      'One per line. Quote words of the message in typographic quotation marks, such as “Dear customer”: they are marked in the message.',
    lessonHint: 'People read it after they click. An empty line begins a new paragraph.',
    attachmentName: 'Name of the PDF',
    attachmentTitle: 'Title of the PDF',
    attachmentText: 'Text of the PDF',
    save: 'Save',
    fault: (reason) => `Please correct this field: ${reason}.`,
    changed:
      'Somebody else has changed the template in the meantime. Reload the page to see it, and enter your change again.',
    inUse:
      'A scheduled or running simulation uses this template. You can change the text once the simulation has ended.',
    notices: {
      created: 'The template has been created.',
      saved: 'The template has been saved.',
      retired: 'The template has been retired. New simulations cannot use it.',
      restored: 'New simulations can use the template again.',
      removed: 'The template has been deleted.',
    },
  },
  de: {
    title: 'Vorlagen für Simulationen',
    about:
      'Jedes Bild zeigt die Nachricht so, wie sie ankommt. Öffnen Sie eine Vorlage, um zu sehen, woran man die Nachricht erkennt.',
    none: 'Keine Vorlage passt.',
    newTemplate: 'Vorlage schreiben',
    newTitle: 'Vorlage schreiben',
    editTitle: (name) => `„${name}“ bearbeiten`,
    filters: 'Vorlagen filtern',
    apply: 'Anwenden',
    reset: 'Alle zeigen',
    all: 'Alle',
    method: 'Versandart',
    methods: { email: 'E-Mail mit Link', qr_code: 'E-Mail mit QR-Code', attachment: 'E-Mail mit PDF' },
    difficulty: 'Schwierigkeit',
    difficultyOf: (level) => `Schwierigkeit ${level} von 5`,
    language: 'Sprache',
    languages: 'Sprachen',
    languageNames: { en: 'Englisch', de: 'Deutsch', fr: 'Französisch' },
    source: 'Herkunft',
    sources: { managed: 'Mitgeliefert', custom: 'Eigene' },
    retired: 'Zurückgezogen',
    showRetired: 'Zurückgezogene Vorlagen',
    pages: 'Vorlagen',
    next: 'Nächste Seite',
    first: 'Erste Seite',
    backToList: 'Alle Vorlagen',
    picture: 'Die Nachricht',
    cues: 'Woran man sie erkennt',
    lesson: 'Die Lektion nach dem Klick',
    edit: (language) => `Text bearbeiten (${language})`,
    addLanguage: (language) => `Text hinzufügen (${language})`,
    plan: 'Simulation mit dieser Vorlage planen',
    copy: 'Als eigene Vorlage kopieren',
    retire: 'Zurückziehen',
    restore: 'Wieder verwenden',
    remove: 'Löschen',
    removeTitle: 'Diese Vorlage löschen?',
    removeAbout: (name) =>
      `„${name}“ wird gelöscht. Wenn eine Simulation oder eine Kampagne die Vorlage verwendet, wird sie stattdessen zurückgezogen.`,
    keep: 'Vorlage behalten',
    name: 'Name',
    nameHint: 'Empfänger sehen ihn nicht.',
    senderName: 'Name des Absenders',
    senderMailbox: 'Postfach des Absenders',
    senderMailboxHint:
      'Der Teil vor dem @, in Kleinbuchstaben. Die Domain wählen Sie, wenn Sie eine Simulation planen.',
    subject: 'Betreff',
    subjectHint: 'Möglich sind {{firstName}}, {{lastName}} und {{companyName}}.',
    text: 'Nachricht als Text',
    textHint: 'Für Programme, die kein HTML zeigen. {{link}} steht für den Link.',
    html: 'Nachricht als HTML',
    htmlHint:
      'Text, Listen, Tabellen und einfache Stile, dazu der Link <a href="{{link}}">. Ein QR-Code ist {{qrCode}}.',
    cuesHint:
      'Ein Hinweis pro Zeile. Zitieren Sie Wörter der Nachricht in typografischen Anführungszeichen, etwa „Sehr geehrter Kunde“: Sie werden in der Nachricht markiert.',
    lessonHint: 'Sie erscheint nach dem Klick. Eine leere Zeile beginnt einen neuen Absatz.',
    attachmentName: 'Name der PDF-Datei',
    attachmentTitle: 'Titel der PDF-Datei',
    attachmentText: 'Text der PDF-Datei',
    save: 'Speichern',
    fault: (reason) => `Bitte korrigieren Sie dieses Feld (Meldung der API: ${reason}).`,
    changed:
      'Jemand anderes hat die Vorlage inzwischen geändert. Laden Sie die Seite neu, um die Änderung zu sehen, und geben Sie Ihre noch einmal ein.',
    inUse:
      'Eine geplante oder laufende Simulation verwendet diese Vorlage. Der Text lässt sich ändern, sobald die Simulation beendet ist.',
    notices: {
      created: 'Die Vorlage ist angelegt.',
      saved: 'Die Vorlage ist gespeichert.',
      retired: 'Die Vorlage ist zurückgezogen. Neue Simulationen können sie nicht verwenden.',
      restored: 'Neue Simulationen können die Vorlage wieder verwenden.',
      removed: 'Die Vorlage ist gelöscht.',
    },
  },
  fr: {
    title: 'Modèles de simulation',
    about: 'Chaque image montre le message tel qu’il est reçu. Ouvrez un modèle pour voir ce qui trahit le message.',
    none: 'Aucun modèle ne correspond.',
    newTemplate: 'Rédiger un modèle',
    newTitle: 'Rédiger un modèle',
    editTitle: (name) => `Modifier « ${name} »`,
    filters: 'Filtrer les modèles',
    apply: 'Appliquer',
    reset: 'Tout afficher',
    all: 'Tous',
    method: 'Mode d’envoi',
    methods: {
      email: 'Courriel avec un lien',
      qr_code: 'Courriel avec un code QR',
      attachment: 'Courriel avec un PDF',
    },
    difficulty: 'Difficulté',
    difficultyOf: (level) => `Difficulté ${level} sur 5`,
    language: 'Langue',
    languages: 'Langues',
    languageNames: { en: 'anglais', de: 'allemand', fr: 'français' },
    source: 'Origine',
    sources: { managed: 'Fourni', custom: 'Propre à vous' },
    retired: 'Retiré',
    showRetired: 'Modèles retirés',
    pages: 'Modèles',
    next: 'Page suivante',
    first: 'Première page',
    backToList: 'Tous les modèles',
    picture: 'Le message',
    cues: 'Ce qui le trahit',
    lesson: 'La leçon après le clic',
    edit: (language) => `Modifier le texte (${language})`,
    addLanguage: (language) => `Ajouter le texte (${language})`,
    plan: 'Préparer une simulation avec ce modèle',
    copy: 'Copier dans vos modèles',
    retire: 'Retirer',
    restore: 'Réutiliser',
    remove: 'Supprimer',
    removeTitle: 'Supprimer ce modèle ?',
    removeAbout: (name) =>
      `« ${name} » sera supprimé. Si une simulation ou une campagne l’utilise, il sera retiré au lieu d’être supprimé.`,
    keep: 'Garder le modèle',
    name: 'Nom',
    nameHint: 'Les destinataires ne le voient pas.',
    senderName: 'Nom de l’expéditeur',
    senderMailbox: 'Boîte de l’expéditeur',
    senderMailboxHint: 'La partie avant le @, en minuscules. Vous choisissez le domaine en préparant une simulation.',
    subject: 'Objet',
    subjectHint: 'Vous pouvez utiliser {{firstName}}, {{lastName}} et {{companyName}}.',
    text: 'Message en texte',
    textHint: 'Pour les logiciels qui n’affichent pas le HTML. {{link}} représente le lien.',
    html: 'Message en HTML',
    htmlHint:
      'Texte, listes, tableaux et styles simples, et le lien <a href="{{link}}">. Un code QR s’écrit {{qrCode}}.',
    cuesHint:
      'Un indice par ligne. Citez des mots du message entre guillemets typographiques, comme « Cher client » : ils seront marqués dans le message.',
    lessonHint: 'Elle s’affiche après le clic. Une ligne vide commence un nouveau paragraphe.',
    attachmentName: 'Nom du PDF',
    attachmentTitle: 'Titre du PDF',
    attachmentText: 'Texte du PDF',
    save: 'Enregistrer',
    fault: (reason) => `Veuillez corriger ce champ (message de l’API : ${reason}).`,
    changed:
      'Quelqu’un d’autre a modifié le modèle entre-temps. Rechargez la page pour le voir, puis saisissez de nouveau votre modification.',
    inUse:
      'Une simulation prévue ou en cours utilise ce modèle. Son texte pourra être modifié une fois la simulation terminée.',
    notices: {
      created: 'Le modèle est créé.',
      saved: 'Le modèle est enregistré.',
      retired: 'Le modèle est retiré. Les nouvelles simulations ne peuvent pas l’utiliser.',
      restored: 'Les nouvelles simulations peuvent de nouveau utiliser le modèle.',
      removed: 'Le modèle est supprimé.',
    },
  },
};
