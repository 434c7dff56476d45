import type { Language } from '../../../contract/languages.ts';
import type { Schemas } from '../../../contract/contract.ts';

type Kind = Schemas['CreateSourceInput']['kind'];

export interface SourcesMessages {
  title: string;
  about: string;
  none: string;
  name: string;
  kind: string;
  kinds: Record<Kind, string>;
  made: string;
  used: string;
  never: string;
  rotate(name: string): string;
  rotateShort: string;
  remove(name: string): string;
  removeShort: string;
  makeTitle: string;
  nameHint: string;
  make: string;
  newTitle: string;
  newSecret(name: string): string;
  id: string;
  secret: string;
  once: string;
  previousUntil: string;
  back: string;
  rotateTitle: string;
  rotateAbout(name: string): string;
  rotateButton: string;
  removeTitle: string;
  removeAbout(name: string): string;
  removeButton: string;
  keep: string;
}

export const sourcesMessages: Record<Language, SourcesMessages> = {
  en: {
    title: 'Sources',
    about:
      'A source is one of your systems. It records one kind of fact here, with its own secret, and can do nothing else.',
    none: 'There are no sources yet.',
    name: 'Name',
    kind: 'Kind',
    kinds: {
      gophish: 'GoPhish: what happened in simulations',
      xapi: 'xAPI: course results from a learning system',
      reported_messages: 'Reported messages: a button in people’s e-mail program',
    },
    made: 'Created',
    used: 'Last used',
    never: 'never',
    rotate: (name) => `New secret for “${name}”`,
    rotateShort: 'New secret',
    remove: (name) => `Remove “${name}”`,
    removeShort: 'Remove',
    makeTitle: 'Create a source',
    nameHint: 'A name for the system, such as “Moodle”.',
    make: 'Create source',
    newTitle: 'The secret of the source',
    newSecret: (name) => `Enter this in the system “${name}”:`,
    id: 'ID',
    secret: 'Secret',
    once: 'Copy the secret now, and keep it as safe as a password. It will not be shown again, and nobody can look it up.',
    previousUntil: 'The previous secret works until',
    back: 'Back to all sources',
    rotateTitle: 'Create a new secret?',
    rotateAbout: (name) =>
      `“${name}” gets a new secret. The current one works for another 24 hours, so that nothing is lost in the meantime.`,
    rotateButton: 'Create new secret',
    removeTitle: 'Remove this source?',
    removeAbout: (name) =>
      `The secret of “${name}” stops working at once. Everything that the source has recorded is kept. This cannot be undone.`,
    removeButton: 'Remove source',
    keep: 'Keep it unchanged',
  },
  de: {
    title: 'Quellen',
    about:
      'Eine Quelle ist ein System von Ihnen, das hier eine Art von Tatsachen einträgt, mit einem eigenen Geheimnis. Sonst darf sie nichts.',
    none: 'Es gibt noch keine Quelle.',
    name: 'Name',
    kind: 'Art',
    kinds: {
      gophish: 'GoPhish: was in Simulationen geschah',
      xapi: 'xAPI: Kursergebnisse aus einem Lernsystem',
      reported_messages: 'Gemeldete Nachrichten: ein Knopf im Mailprogramm',
    },
    made: 'Angelegt',
    used: 'Zuletzt benutzt',
    never: 'nie',
    rotate: (name) => `Neues Geheimnis für „${name}“`,
    rotateShort: 'Neues Geheimnis',
    remove: (name) => `„${name}“ entfernen`,
    removeShort: 'Entfernen',
    makeTitle: 'Quelle anlegen',
    nameHint: 'Wie Sie das System nennen, zum Beispiel „Moodle“.',
    make: 'Quelle anlegen',
    newTitle: 'Das Geheimnis der Quelle',
    newSecret: (name) => `Tragen Sie das im System „${name}“ ein:`,
    id: 'Kennung',
    secret: 'Geheimnis',
    once: 'Kopieren Sie das Geheimnis jetzt, und verwahren Sie es wie ein Passwort. Es wird nicht noch einmal angezeigt, und niemand kann es nachsehen.',
    previousUntil: 'Das vorige Geheimnis gilt bis',
    back: 'Zu allen Quellen',
    rotateTitle: 'Ein neues Geheimnis anlegen?',
    rotateAbout: (name) =>
      `„${name}“ bekommt ein neues Geheimnis. Das jetzige gilt noch 24 Stunden, damit inzwischen nichts verloren geht.`,
    rotateButton: 'Neues Geheimnis anlegen',
    removeTitle: 'Diese Quelle entfernen?',
    removeAbout: (name) =>
      `Das Geheimnis von „${name}“ gilt sofort nicht mehr. Was sie eingetragen hat, bleibt. Das lässt sich nicht rückgängig machen.`,
    removeButton: 'Quelle entfernen',
    keep: 'Lassen, wie es ist',
  },
  fr: {
    title: 'Sources',
    about:
      'Une source est un de vos systèmes qui enregistre ici un seul type de faits, avec un secret à elle. Elle ne peut rien d’autre.',
    none: 'Il n’y a pas encore de source.',
    name: 'Nom',
    kind: 'Type',
    kinds: {
      gophish: 'GoPhish : ce qui s’est passé dans les simulations',
      xapi: 'xAPI : résultats de cours d’un système de formation',
      reported_messages: 'Messages signalés : un bouton dans la messagerie',
    },
    made: 'Créée',
    used: 'Dernier usage',
    never: 'jamais',
    rotate: (name) => `Nouveau secret pour « ${name} »`,
    rotateShort: 'Nouveau secret',
    remove: (name) => `Retirer « ${name} »`,
    removeShort: 'Retirer',
    makeTitle: 'Créer une source',
    nameHint: 'Le nom que vous donnez au système, par exemple « Moodle ».',
    make: 'Créer la source',
    newTitle: 'Le secret de la source',
    newSecret: (name) => `Saisissez ceci dans le système « ${name} » :`,
    id: 'Identifiant',
    secret: 'Secret',
    once: 'Copiez le secret maintenant, et gardez-le comme un mot de passe. Il ne sera plus affiché, et personne ne peut le retrouver.',
    previousUntil: 'Le secret précédent est valable jusqu’au',
    back: 'Vers toutes les sources',
    rotateTitle: 'Créer un nouveau secret ?',
    rotateAbout: (name) =>
      `« ${name} » reçoit un nouveau secret. L’actuel reste valable 24 heures, pour que rien ne se perde entre-temps.`,
    rotateButton: 'Créer un nouveau secret',
    removeTitle: 'Retirer cette source ?',
    removeAbout: (name) =>
      `Le secret de « ${name} » cesse tout de suite d’être valable. Ce qu’elle a enregistré reste. C’est sans retour.`,
    removeButton: 'Retirer la source',
    keep: 'Ne rien changer',
  },
};
