import type { Language } from '../../../contract/languages.ts';

export interface BrandingMessages {
  title: string;
  about: string;
  name: string;
  nameHint: string;
  color: string;
  colorHint: string;
  replyTo: string;
  replyToHint: string;
  logo: string;
  logoHint: string;
  removeLogo: string;
  currentLogo: string;
  none: string;
  save: string;
  saved: string;
  conflict: string;
  fields: Record<'name' | 'color' | 'replyTo' | 'logo', string>;
}

export const brandingMessages: Record<Language, BrandingMessages> = {
  en: {
    title: 'Branding',
    about: 'People see this branding in messages, on the pages of learners, and on the pages after a simulation.',
    name: 'Name',
    nameHint: 'The name by which people know the organisation.',
    color: 'Colour of buttons',
    colorHint: 'As #rrggbb. Buttons have white text, so choose a dark colour.',
    replyTo: 'Reply address',
    replyToHint: 'Replies to messages go to this address.',
    logo: 'Logo',
    logoHint:
      'A PNG, JPEG or WebP picture of at most 64 KiB and 1,000 by 1,000 pixels. Messages do not show WebP pictures.',
    removeLogo: 'Remove the logo',
    currentLogo: 'The logo of the organisation',
    none: 'Not set',
    save: 'Save',
    saved: 'The branding has been saved.',
    conflict: 'Somebody else has changed the branding in the meantime. Please check it and save again.',
    fields: {
      name: 'Please enter at most 100 ordinary characters.',
      color: 'Please enter a darker colour as #rrggbb: its contrast with white must be at least 4.5 to 1.',
      replyTo: 'Please enter an e-mail address.',
      logo: 'Please choose a PNG, JPEG or WebP picture of at most 64 KiB and 1,000 by 1,000 pixels.',
    },
  },
  de: {
    title: 'Erscheinungsbild',
    about: 'Dieses Erscheinungsbild haben Nachrichten, die Seiten der Lernenden und die Seiten nach einer Simulation.',
    name: 'Name',
    nameHint: 'Der Name, unter dem die Organisation bekannt ist.',
    color: 'Farbe der Schaltflächen',
    colorHint: 'Als #rrggbb. Die Schrift darauf ist weiß, wählen Sie also eine dunkle Farbe.',
    replyTo: 'Antwortadresse',
    replyToHint: 'Antworten auf Nachrichten gehen an diese Adresse.',
    logo: 'Logo',
    logoHint:
      'Ein PNG-, JPEG- oder WebP-Bild von höchstens 64 KiB und 1.000 mal 1.000 Pixeln. In Nachrichten erscheinen keine WebP-Bilder.',
    removeLogo: 'Logo entfernen',
    currentLogo: 'Das Logo der Organisation',
    none: 'Nicht festgelegt',
    save: 'Speichern',
    saved: 'Das Erscheinungsbild wurde gespeichert.',
    conflict:
      'Jemand anderes hat das Erscheinungsbild inzwischen geändert. Bitte prüfen Sie es und speichern Sie noch einmal.',
    fields: {
      name: 'Bitte geben Sie höchstens 100 gewöhnliche Zeichen ein.',
      color:
        'Bitte geben Sie eine dunklere Farbe als #rrggbb ein: Ihr Kontrast zu Weiß muss mindestens 4,5 zu 1 betragen.',
      replyTo: 'Bitte geben Sie eine E-Mail-Adresse ein.',
      logo: 'Bitte wählen Sie ein PNG-, JPEG- oder WebP-Bild von höchstens 64 KiB und 1.000 mal 1.000 Pixeln.',
    },
  },
  fr: {
    title: 'Identité visuelle',
    about:
      'Elle apparaît dans les messages, sur les pages des apprenants et sur celles qui s’affichent après une simulation.',
    name: 'Nom',
    nameHint: 'Le nom sous lequel l’organisation est connue.',
    color: 'Couleur des boutons',
    colorHint: 'Sous la forme #rrggbb. Le texte des boutons est blanc : choisissez une couleur foncée.',
    replyTo: 'Adresse de réponse',
    replyToHint: 'Les réponses aux messages arrivent à cette adresse.',
    logo: 'Logo',
    logoHint:
      'Une image PNG, JPEG ou WebP de 64 Kio et de 1 000 pixels de côté au plus. Les messages n’affichent pas les images WebP.',
    removeLogo: 'Retirer le logo',
    currentLogo: 'Le logo de l’organisation',
    none: 'Non défini',
    save: 'Enregistrer',
    saved: 'L’identité visuelle a été enregistrée.',
    conflict:
      'Une autre personne a modifié l’identité visuelle entre-temps. Veuillez la vérifier et l’enregistrer de nouveau.',
    fields: {
      name: 'Veuillez saisir 100 caractères ordinaires au plus.',
      color:
        'Veuillez saisir une couleur plus foncée (#rrggbb) : son contraste avec le blanc doit être d’au moins 4,5:1.',
      replyTo: 'Veuillez saisir une adresse e-mail.',
      logo: 'Veuillez choisir une image PNG, JPEG ou WebP de 64 Kio et de 1 000 pixels de côté au plus.',
    },
  },
};
