import type { Language } from '../../../../contract/languages.ts';

export type EditField =
  | ('firstName' | 'lastName' | 'email' | 'externalLearnerId' | 'department' | 'jobTitle' | 'manager' | 'location')
  | ('country' | 'locale' | 'timeZone' | 'absentUntil' | 'groups' | 'excludedFromAutoEnrol');

/** Texts of the form that changes a person. */
export interface EditMessages {
  title: (name: string) => string;
  link: string;
  fields: Record<EditField, string>;
  hints: Partial<Record<EditField, string>>;
  more: string;
  save: string;
  cancel: string;
  saved: string;
  byDirectory: string;
  changedMeanwhile: string;
  now: (value: string) => string;
  nothing: string;
  emailTaken: string;
  numberTaken: string;
  managerUnknown: string;
  groupGone: string;
}

export const editMessages: Record<Language, EditMessages> = {
  en: {
    title: (name) => `Edit ${name}`,
    link: 'Edit',
    fields: {
      firstName: 'First name',
      lastName: 'Last name',
      email: 'E-mail address',
      externalLearnerId: 'Employee number',
      department: 'Department',
      jobTitle: 'Job title',
      manager: 'Manager (e-mail address)',
      location: 'Place of work',
      country: 'Country',
      locale: 'Language',
      timeZone: 'Time zone',
      absentUntil: 'On leave until',
      groups: 'Groups',
      excludedFromAutoEnrol: 'Leave out of automatic enrolments',
    },
    hints: {
      email: 'Changing the e-mail address signs the person out, and sends a notice to the old address.',
      manager: 'If this is empty, the managers of the person’s groups apply.',
      country: 'The code of the country, such as DE or GB',
      locale: 'For example en, de or fr-CH. An empty field changes nothing.',
      timeZone: 'For example Europe/Berlin',
    },
    more: 'More fields',
    save: 'Save',
    cancel: 'Cancel',
    saved: 'The person has been saved.',
    byDirectory: 'Your directory maintains this person. It might overwrite what you change here.',
    changedMeanwhile:
      'Somebody else has changed this person since you opened the form. The current values are shown next to the fields that differ. Save again to replace them with yours.',
    now: (value) => `Now: ${value}`,
    nothing: '(empty)',
    emailTaken: 'Another person already has this e-mail address.',
    numberTaken: 'Another person already has this employee number.',
    managerUnknown: 'Nobody has this e-mail address, or it belongs to the same person.',
    groupGone: 'One of these groups no longer exists. Please open the form again.',
  },
  de: {
    title: (name) => `${name} bearbeiten`,
    link: 'Bearbeiten',
    fields: {
      firstName: 'Vorname',
      lastName: 'Nachname',
      email: 'E-Mail-Adresse',
      externalLearnerId: 'Personalnummer',
      department: 'Abteilung',
      jobTitle: 'Funktion',
      manager: 'Führungskraft (E-Mail-Adresse)',
      location: 'Arbeitsort',
      country: 'Land',
      locale: 'Sprache',
      timeZone: 'Zeitzone',
      absentUntil: 'Abwesend bis',
      groups: 'Gruppen',
      excludedFromAutoEnrol: 'Von automatischen Einschreibungen ausnehmen',
    },
    hints: {
      email: 'Mit einer neuen Adresse wird die Person abgemeldet, und die alte Adresse wird per E-Mail benachrichtigt.',
      manager: 'Bleibt das Feld leer, gelten die Führungskräfte der Gruppen.',
      country: 'Das Kürzel des Landes wie DE oder GB',
      locale: 'Zum Beispiel en, de oder fr-CH. Ein leeres Feld ändert nichts.',
      timeZone: 'Zum Beispiel Europe/Berlin',
    },
    more: 'Weitere Felder',
    save: 'Speichern',
    cancel: 'Abbrechen',
    saved: 'Die Person wurde gespeichert.',
    byDirectory: 'Ihr Verzeichnisdienst pflegt diese Person. Er kann Ihre Änderungen überschreiben.',
    changedMeanwhile:
      'Jemand hat diese Person geändert, seit Sie das Formular geöffnet haben. Bei den abweichenden Feldern steht der jetzige Wert. Speichern Sie erneut, um ihn durch Ihren zu ersetzen.',
    now: (value) => `Jetzt: ${value}`,
    nothing: '(leer)',
    emailTaken: 'Eine andere Person hat diese Adresse bereits.',
    numberTaken: 'Eine andere Person hat diese Personalnummer bereits.',
    managerUnknown: 'Niemand hat diese Adresse, oder es ist dieselbe Person.',
    groupGone: 'Eine dieser Gruppen gibt es nicht mehr. Bitte öffnen Sie das Formular erneut.',
  },
  fr: {
    title: (name) => `Modifier ${name}`,
    link: 'Modifier',
    fields: {
      firstName: 'Prénom',
      lastName: 'Nom',
      email: 'Adresse e-mail',
      externalLearnerId: 'Matricule',
      department: 'Service',
      jobTitle: 'Fonction',
      manager: 'Responsable (adresse e-mail)',
      location: 'Lieu de travail',
      country: 'Pays',
      locale: 'Langue',
      timeZone: 'Fuseau horaire',
      absentUntil: 'En congé jusqu’au',
      groups: 'Groupes',
      excludedFromAutoEnrol: 'Exclure des inscriptions automatiques',
    },
    hints: {
      email: 'Une nouvelle adresse déconnecte la personne, et l’ancienne adresse en est informée par e-mail.',
      manager: 'Si ce champ est vide, les responsables des groupes comptent.',
      country: 'Le code du pays, comme DE ou GB',
      locale: 'Par exemple en, de ou fr-CH. Un champ vide ne change rien.',
      timeZone: 'Par exemple Europe/Berlin',
    },
    more: 'Autres champs',
    save: 'Enregistrer',
    cancel: 'Abandonner',
    saved: 'La personne a été enregistrée.',
    byDirectory: 'Votre annuaire gère cette personne. Il peut remplacer ce que vous modifiez ici.',
    changedMeanwhile:
      'Quelqu’un a modifié cette personne depuis que vous avez ouvert le formulaire. La valeur actuelle est indiquée aux champs qui diffèrent. Enregistrez à nouveau pour la remplacer par la vôtre.',
    now: (value) => `Actuellement : ${value}`,
    nothing: '(vide)',
    emailTaken: 'Une autre personne a déjà cette adresse.',
    numberTaken: 'Une autre personne a déjà ce matricule.',
    managerUnknown: 'Personne n’a cette adresse, ou il s’agit de la même personne.',
    groupGone: 'L’un de ces groupes n’existe plus. Veuillez rouvrir le formulaire.',
  },
};
