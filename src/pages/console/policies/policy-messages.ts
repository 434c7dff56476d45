import type { Language } from '../../../contract/languages.ts';

/** Texts of the page of one policy, and of its confirmations. */
export interface PolicyMessages {
  live: string;
  draft: string;
  noLive: string;
  noDraft: string;
  name: string;
  category: string;
  owner: string;
  file: string;
  pages(count: number): string;
  publishedOn: string;
  changedOn: string;
  access: string;
  public: string;
  assignedOnly: string;
  none: string;
  read: string;
  download: string;
  /** Accessible name of a link to a version or the draft. */
  named(action: string, what: string): string;
  signatures: string;
  assigned: string;
  signed: string;
  unsigned: string;
  unsignedList: string;
  report: string;
  versions: string;
  version: string;
  assign: string;
  remind: string;
  withdraw: string;
  startDraft: string;
  editDraft: string;
  publish: string;
  discard: string;
  remove: string;
  keep: string;
  publishTitle: string;
  publishFirst: string;
  publishAgain: string;
  whoSigns: string;
  /** Choices of who signs again, with the numbers of people. */
  nobody(unsigned: string): string;
  everybody(assigned: string, signed: string): string;
  major: string;
  changed: string;
  draftGone: string;
  discardTitle: string;
  discardAbout(name: string): string;
  discardOnly: string;
  removeTitle: string;
  removeAbout(name: string, signed: string): string;
  unsignedTitle: string;
  allSigned: string;
  unsignedHead: readonly [name: string, department: string, askedOn: string, remindedOn: string];
  select(name: string): string;
  remindChosen: string;
  chooseFirst: string;
  listPages: string;
  readTitle(name: string, version: string): string;
  reader: { label: string; loading: string; failed: string; page: string };
  notices: Readonly<Record<'created' | 'draftSaved' | 'published' | 'discarded', string>>;
}

export const policyMessages: Record<Language, PolicyMessages> = {
  en: {
    live: 'Published version',
    draft: 'Draft',
    noLive: 'No version is published yet.',
    noDraft: 'There is no draft. Create one to change the policy. Learners see it once you publish it.',
    name: 'Name',
    category: 'Category',
    owner: 'Owner',
    file: 'File',
    pages: (count) => (count === 1 ? 'one page' : `${count} pages`),
    publishedOn: 'Published on',
    changedOn: 'Changed on',
    access: 'Who can read it',
    public: 'All learners',
    assignedOnly: 'People to whom it is assigned',
    none: '–',
    read: 'Look at the PDF',
    download: 'Download the PDF',
    named: (action, what) => `${action}: ${what}`,
    signatures: 'Signatures',
    assigned: 'Assigned',
    signed: 'Signed',
    unsigned: 'Not signed',
    unsignedList: 'Show who has not signed',
    report: 'Report on outstanding signatures',
    versions: 'Versions',
    version: 'Version',
    assign: 'Assign',
    remind: 'Remind',
    withdraw: 'Withdraw',
    startDraft: 'Start a draft',
    editDraft: 'Edit the draft',
    publish: 'Publish',
    discard: 'Discard the draft',
    remove: 'Delete the policy',
    keep: 'Back to the policy',
    publishTitle: 'Publish the draft?',
    publishFirst: 'This is the first version. Nobody is asked to sign it until you assign the policy.',
    publishAgain: 'The draft replaces the published version. Earlier versions and the signatures on them are kept.',
    whoSigns: 'Who must sign again?',
    nobody: (unsigned) =>
      `Nobody. Signatures on earlier versions stay in force. Those who have not signed (${unsigned}) sign the new version.`,
    everybody: (assigned, signed) =>
      `Everybody with the policy (${assigned}), including those who have signed (${signed}). They get an e-mail.`,
    major: 'This is a major change: increase the first part of the version number',
    changed: 'The draft has changed in the meantime. Please look at it again before you publish it.',
    draftGone: 'There is no longer a draft. Somebody has published or discarded it.',
    discardTitle: 'Discard the draft?',
    discardAbout: (name) => `The draft of “${name}” will be lost. The published version is unchanged.`,
    discardOnly: 'The policy has no published version, so it will be left without content.',
    removeTitle: 'Delete the policy?',
    removeAbout: (name, signed) =>
      `“${name}” will be deleted with its versions and assignments. The console will no longer show its signatures (${signed}). This cannot be undone. To stop asking people and keep the signatures, withdraw the policy instead.`,
    unsignedTitle: 'Who has not signed',
    allSigned: 'Everybody with the policy has signed.',
    unsignedHead: ['Name', 'Department', 'Asked on', 'Reminded on'],
    select: (name) => `Select ${name}`,
    remindChosen: 'Remind the selected people',
    chooseFirst: 'Please select at least one person.',
    listPages: 'Pages of the list',
    readTitle: (name, version) => `${name}, ${version}`,
    reader: {
      label: 'The policy',
      loading: 'Loading the policy …',
      failed: 'The policy could not be shown here. Please download it instead.',
      page: 'Page {page} of {pages}',
    },
    notices: {
      created: 'The policy has been saved as a draft.',
      draftSaved: 'The draft has been saved.',
      published: 'The new version has been published.',
      discarded: 'The draft has been discarded.',
    },
  },
  de: {
    live: 'Veröffentlichte Version',
    draft: 'Entwurf',
    noLive: 'Es ist noch keine Version veröffentlicht.',
    noDraft:
      'Es gibt keinen Entwurf. Änderungen beginnen mit einem Entwurf und bleiben für Lernende unsichtbar, bis Sie ihn veröffentlichen.',
    name: 'Name',
    category: 'Kategorie',
    owner: 'Verantwortlich',
    file: 'Datei',
    pages: (count) => (count === 1 ? 'eine Seite' : `${count} Seiten`),
    publishedOn: 'Veröffentlicht am',
    changedOn: 'Geändert am',
    access: 'Lesbar für',
    public: 'Alle Lernenden',
    assignedOnly: 'Personen, denen sie zugewiesen ist',
    none: '–',
    read: 'PDF ansehen',
    download: 'PDF herunterladen',
    named: (action, what) => `${action}: ${what}`,
    signatures: 'Unterschriften',
    assigned: 'Zugewiesen',
    signed: 'Unterschrieben',
    unsigned: 'Nicht unterschrieben',
    unsignedList: 'Anzeigen, wer nicht unterschrieben hat',
    report: 'Bericht über ausstehende Unterschriften',
    versions: 'Versionen',
    version: 'Version',
    assign: 'Zuweisen',
    remind: 'Erinnern',
    withdraw: 'Zurückziehen',
    startDraft: 'Entwurf beginnen',
    editDraft: 'Entwurf bearbeiten',
    publish: 'Veröffentlichen',
    discard: 'Entwurf verwerfen',
    remove: 'Richtlinie löschen',
    keep: 'Zurück zur Richtlinie',
    publishTitle: 'Entwurf veröffentlichen?',
    publishFirst: 'Das ist die erste Version. Niemand muss sie unterschreiben, bis Sie die Richtlinie zuweisen.',
    publishAgain:
      'Der Entwurf ersetzt die veröffentlichte Version. Frühere Versionen und deren Unterschriften bleiben erhalten.',
    whoSigns: 'Wer muss erneut unterschreiben?',
    nobody: (unsigned) =>
      `Niemand. Unterschriften auf früheren Versionen bleiben gültig. Wer noch nicht unterschrieben hat (${unsigned}), unterschreibt die neue Version.`,
    everybody: (assigned, signed) =>
      `Alle, denen die Richtlinie zugewiesen ist (${assigned}), auch wer schon unterschrieben hat (${signed}). Sie erhalten eine E-Mail.`,
    major: 'Das ist eine größere Änderung: den ersten Teil der Version hochzählen',
    changed:
      'Der Entwurf wurde inzwischen geändert. Bitte sehen Sie ihn sich noch einmal an, bevor Sie ihn veröffentlichen.',
    draftGone: 'Es gibt keinen Entwurf mehr. Jemand hat ihn veröffentlicht oder verworfen.',
    discardTitle: 'Entwurf verwerfen?',
    discardAbout: (name) => `Der Entwurf von „${name}“ geht verloren. Die veröffentlichte Version bleibt, wie sie ist.`,
    discardOnly: 'Die Richtlinie hat keine veröffentlichte Version und bleibt deshalb ohne Inhalt zurück.',
    removeTitle: 'Richtlinie löschen?',
    removeAbout: (name, signed) =>
      `„${name}“ wird mit allen Versionen und Zuweisungen gelöscht. Die Konsole zeigt ihre Unterschriften (${signed}) dann nicht mehr. Das lässt sich nicht rückgängig machen. Wenn Sie nur niemanden mehr fragen und die Unterschriften behalten möchten, ziehen Sie die Richtlinie zurück.`,
    unsignedTitle: 'Wer nicht unterschrieben hat',
    allSigned: 'Alle, denen die Richtlinie zugewiesen ist, haben unterschrieben.',
    unsignedHead: ['Name', 'Abteilung', 'Gefragt am', 'Erinnert am'],
    select: (name) => `${name} auswählen`,
    remindChosen: 'Ausgewählte Personen erinnern',
    chooseFirst: 'Bitte wählen Sie mindestens eine Person aus.',
    listPages: 'Seiten der Liste',
    readTitle: (name, version) => `${name}, ${version}`,
    reader: {
      label: 'Die Richtlinie',
      loading: 'Die Richtlinie wird geladen …',
      failed: 'Die Richtlinie kann hier nicht angezeigt werden. Bitte laden Sie sie stattdessen herunter.',
      page: 'Seite {page} von {pages}',
    },
    notices: {
      created: 'Die Richtlinie ist als Entwurf gespeichert.',
      draftSaved: 'Der Entwurf ist gespeichert.',
      published: 'Die neue Version ist veröffentlicht.',
      discarded: 'Der Entwurf wurde verworfen.',
    },
  },
  fr: {
    live: 'Version publiée',
    draft: 'Brouillon',
    noLive: 'Aucune version n’est encore publiée.',
    noDraft:
      'Il n’y a pas de brouillon. Toute modification commence par un brouillon, que les apprenants ne voient pas avant sa publication.',
    name: 'Nom',
    category: 'Catégorie',
    owner: 'Responsable',
    file: 'Fichier',
    pages: (count) => (count === 1 ? 'une page' : `${count} pages`),
    publishedOn: 'Publiée le',
    changedOn: 'Modifié le',
    access: 'Lisible par',
    public: 'Tous les apprenants',
    assignedOnly: 'Les personnes à qui elle est attribuée',
    none: '–',
    read: 'Voir le PDF',
    download: 'Télécharger le PDF',
    named: (action, what) => `${action} : ${what}`,
    signatures: 'Signatures',
    assigned: 'Attribuée à',
    signed: 'Signée par',
    unsigned: 'Non signée par',
    unsignedList: 'Voir qui n’a pas signé',
    report: 'Rapport sur les signatures en attente',
    versions: 'Versions',
    version: 'Version',
    assign: 'Attribuer',
    remind: 'Relancer',
    withdraw: 'Retirer',
    startDraft: 'Commencer un brouillon',
    editDraft: 'Modifier le brouillon',
    publish: 'Publier',
    discard: 'Abandonner le brouillon',
    remove: 'Supprimer la politique',
    keep: 'Retour à la politique',
    publishTitle: 'Publier le brouillon ?',
    publishFirst: 'C’est la première version. Personne n’a à la signer tant que vous n’avez pas attribué la politique.',
    publishAgain:
      'Le brouillon remplace la version publiée. Les versions précédentes et leurs signatures sont conservées.',
    whoSigns: 'Qui doit signer à nouveau ?',
    nobody: (unsigned) =>
      `Personne. Les signatures des versions précédentes restent valables. Les personnes qui n’ont pas signé (${unsigned}) signeront la nouvelle version.`,
    everybody: (assigned, signed) =>
      `Toutes les personnes concernées (${assigned}), y compris celles qui ont signé (${signed}). Elles reçoivent un e-mail.`,
    major: 'C’est un changement majeur : augmenter la première partie de la version',
    changed: 'Le brouillon a été modifié entre-temps. Veuillez le relire avant de le publier.',
    draftGone: 'Il n’y a plus de brouillon. Quelqu’un l’a publié ou abandonné.',
    discardTitle: 'Abandonner le brouillon ?',
    discardAbout: (name) => `Le brouillon de « ${name} » sera perdu. La version publiée reste inchangée.`,
    discardOnly: 'La politique n’a pas de version publiée ; elle restera donc sans contenu.',
    removeTitle: 'Supprimer la politique ?',
    removeAbout: (name, signed) =>
      `« ${name} » sera supprimée avec ses versions et ses attributions. La console n’affichera plus ses signatures (${signed}). Cette action est irréversible. Pour ne plus solliciter personne tout en gardant les signatures, retirez plutôt la politique.`,
    unsignedTitle: 'Qui n’a pas signé',
    allSigned: 'Toutes les personnes concernées ont signé.',
    unsignedHead: ['Nom', 'Service', 'Sollicité le', 'Relancé le'],
    select: (name) => `Sélectionner ${name}`,
    remindChosen: 'Relancer les personnes sélectionnées',
    chooseFirst: 'Veuillez sélectionner au moins une personne.',
    listPages: 'Pages de la liste',
    readTitle: (name, version) => `${name}, ${version}`,
    reader: {
      label: 'La politique',
      loading: 'Chargement de la politique…',
      failed: 'La politique ne peut pas être affichée ici. Veuillez la télécharger.',
      page: 'Page {page} sur {pages}',
    },
    notices: {
      created: 'La politique est enregistrée comme brouillon.',
      draftSaved: 'Le brouillon est enregistré.',
      published: 'La nouvelle version est publiée.',
      discarded: 'Le brouillon a été abandonné.',
    },
  },
};
