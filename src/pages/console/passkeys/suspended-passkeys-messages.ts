import type { Language } from '../../../contract/languages.ts';

interface SuspendedPasskeysMessages {
  title: string;
  about: string;
  /** Text before the day on which the passkeys end. */
  ends: string;
  /** Text in a table, before the day on which one passkey ends. */
  suspendedUntil: string;
  byPasskey: string;
  byLink(email: string): string;
  mailed: string;
  fault: string;
  needsScript: string;
  confirmTitle: string;
  confirm: string;
  keep: string;
}

/** Texts about passkeys that a change of e-mail address has suspended. */
export const suspendedPasskeysMessages: Record<Language, SuspendedPasskeysMessages> = {
  en: {
    title: 'Keep your passkeys',
    about:
      'Your e-mail address has changed, so your earlier passkeys are suspended. To keep them, use one of them, or open a link that we send to your former e-mail address.',
    ends: 'Otherwise, they end on',
    suspendedUntil: 'suspended, ends on',
    byPasskey: 'Keep them with a passkey',
    byLink: (email) => `Send a link to ${email}`,
    mailed: 'An e-mail with a link is on its way. Open the link in this browser, within an hour.',
    fault:
      'The passkeys were not restored. Use one that is suspended. You can have at most ten passkeys, so remove others first if you have more.',
    needsScript: 'Passkeys need a browser that runs scripts.',
    confirmTitle: 'Keep your earlier passkeys?',
    confirm:
      'They belong to your account from before your e-mail address changed. Keep them only if they are yours: each signs in to your account.',
    keep: 'Keep the passkeys',
  },
  de: {
    title: 'Passkeys behalten',
    about:
      'Ihre E-Mail-Adresse hat sich geändert, deshalb sind Ihre bisherigen Passkeys ausgesetzt. Um sie zu behalten, benutzen Sie einen davon, oder öffnen Sie einen Link, den wir an Ihre frühere Adresse senden.',
    ends: 'Sonst enden sie am',
    suspendedUntil: 'ausgesetzt, endet am',
    byPasskey: 'Mit einem Passkey behalten',
    byLink: (email) => `Link an ${email} senden`,
    mailed: 'Eine E-Mail mit einem Link ist unterwegs. Öffnen Sie den Link in diesem Browser, innerhalb einer Stunde.',
    fault:
      'Die Passkeys wurden nicht wiederhergestellt. Benutzen Sie einen, der ausgesetzt ist. Sie können höchstens zehn Passkeys haben; entfernen Sie zuerst andere, wenn es mehr wären.',
    needsScript: 'Passkeys brauchen einen Browser, der Skripte ausführt.',
    confirmTitle: 'Bisherige Passkeys behalten?',
    confirm:
      'Sie gehören zu Ihrem Konto aus der Zeit vor der neuen Adresse. Behalten Sie sie nur, wenn es Ihre sind: Jeder meldet bei Ihrem Konto an.',
    keep: 'Passkeys behalten',
  },
  fr: {
    title: 'Garder vos clés d’accès',
    about:
      'Votre adresse e-mail a changé : vos clés d’accès précédentes sont suspendues. Pour les garder, utilisez l’une d’elles, ou ouvrez un lien envoyé à votre ancienne adresse.',
    ends: 'Sinon, elles prennent fin le',
    suspendedUntil: 'suspendue, prend fin le',
    byPasskey: 'Les garder avec une clé d’accès',
    byLink: (email) => `Envoyer un lien à ${email}`,
    mailed: 'Un e-mail avec un lien est en route. Ouvrez le lien dans ce navigateur, dans l’heure.',
    fault:
      'Les clés d’accès n’ont pas été rétablies. Utilisez une clé suspendue. Vous pouvez avoir dix clés au plus : retirez-en d’abord s’il y en avait davantage.',
    needsScript: 'Les clés d’accès demandent un navigateur qui exécute des scripts.',
    confirmTitle: 'Garder vos clés d’accès précédentes ?',
    confirm:
      'Elles appartiennent à votre compte d’avant le changement d’adresse. Gardez-les seulement si ce sont les vôtres : chacune connecte à votre compte.',
    keep: 'Garder les clés d’accès',
  },
};
