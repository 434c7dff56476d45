import type { Language } from '../../../contract/languages.ts';

/** Texts of the policy list, and texts that all policy pages share. */
export interface PoliciesMessages {
  title: string;
  about: string;
  none: string;
  noMatch: string;
  create: string;
  fromTemplate: string;
  filters: string;
  name: string;
  state: string;
  all: string;
  apply: string;
  reset: string;
  /** States of a policy: published, published with a draft, only a draft, without content. */
  states: Record<'live' | 'liveWithDraft' | 'draft' | 'empty', string>;
  /** Choices of the filter. */
  filterStates: Record<'live' | 'draft', string>;
  version: string;
  versionCount: string;
  signed: string;
  share(signed: string, assigned: string): string;
  pages: string;
  back: string;
  notices: Readonly<Record<'deleted', string>>;
}

export const policiesMessages: Record<Language, PoliciesMessages> = {
  en: {
    title: 'Policies',
    about: 'A policy is a PDF that people read and sign. A change stays a draft until you publish it.',
    none: 'There are no policies yet.',
    noMatch: 'No policy matches these filters.',
    create: 'Upload a policy',
    fromTemplate: 'Create from a template',
    filters: 'Filter policies',
    name: 'Name',
    state: 'Status',
    all: 'All',
    apply: 'Apply',
    reset: 'Show all',
    states: { live: 'Published', liveWithDraft: 'Published, with a draft', draft: 'Draft', empty: 'No content' },
    filterStates: { live: 'Published', draft: 'With a draft' },
    version: 'Version',
    versionCount: 'Versions',
    signed: 'Signed',
    share: (signed, assigned) => `${signed} of ${assigned}`,
    pages: 'Pages of the list',
    back: 'All policies',
    notices: { deleted: 'The policy has been deleted.' },
  },
  de: {
    title: 'Richtlinien',
    about:
      'Eine Richtlinie ist ein PDF, das gelesen und unterschrieben wird. Eine Änderung bleibt ein Entwurf, bis Sie sie veröffentlichen.',
    none: 'Es gibt noch keine Richtlinien.',
    noMatch: 'Keine Richtlinie entspricht diesen Filtern.',
    create: 'Richtlinie hochladen',
    fromTemplate: 'Aus einer Vorlage erstellen',
    filters: 'Richtlinien filtern',
    name: 'Name',
    state: 'Status',
    all: 'Alle',
    apply: 'Anwenden',
    reset: 'Alle anzeigen',
    states: {
      live: 'Veröffentlicht',
      liveWithDraft: 'Veröffentlicht, mit Entwurf',
      draft: 'Entwurf',
      empty: 'Ohne Inhalt',
    },
    filterStates: { live: 'Veröffentlicht', draft: 'Mit Entwurf' },
    version: 'Version',
    versionCount: 'Versionen',
    signed: 'Unterschrieben',
    share: (signed, assigned) => `${signed} von ${assigned}`,
    pages: 'Seiten der Liste',
    back: 'Alle Richtlinien',
    notices: { deleted: 'Die Richtlinie wurde gelöscht.' },
  },
  fr: {
    title: 'Politiques',
    about:
      'Une politique est un PDF que les personnes lisent et signent. Une modification reste un brouillon jusqu’à sa publication.',
    none: 'Il n’y a pas encore de politique.',
    noMatch: 'Aucune politique ne correspond à ces filtres.',
    create: 'Importer une politique',
    fromTemplate: 'Créer à partir d’un modèle',
    filters: 'Filtrer les politiques',
    name: 'Nom',
    state: 'État',
    all: 'Tous',
    apply: 'Appliquer',
    reset: 'Tout afficher',
    states: {
      live: 'Publiée',
      liveWithDraft: 'Publiée, avec un brouillon',
      draft: 'Brouillon',
      empty: 'Sans contenu',
    },
    filterStates: { live: 'Publiées', draft: 'Avec un brouillon' },
    version: 'Version',
    versionCount: 'Versions',
    signed: 'Signées',
    share: (signed, assigned) => `${signed} sur ${assigned}`,
    pages: 'Pages de la liste',
    back: 'Toutes les politiques',
    notices: { deleted: 'La politique a été supprimée.' },
  },
};
