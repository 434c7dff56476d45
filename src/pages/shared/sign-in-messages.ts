import type { Language } from '../../contract/languages.ts';

/** Messages that the sign-ins of learners and of admins share. */
interface CommonMessages {
  skip: string;
  navigation: string;
  signOut: string;
  email: string;
  send: string;
  emailFault: string;
  askedTitle: string;
  again: string;
  enterTitle: string;
  enterButton: string;
  chooseProvider: string;
  signInWith(provider: string, company: string): string;
  linkInstead: string;
  byProvider: string;
  passkeyOnly: string;
  toSignIn: string;
  signedOutTitle: string;
  linkTitle: string;
  staleTitle: string;
  stale: string;
  missingTitle: string;
  notPermitted: string;
  refused: string;
  tooManyTitle: string;
  tooMany: string;
  unavailableTitle: string;
  unavailable: string;
}

export interface SignInMessages extends CommonMessages {
  askTitle: string;
  ask: string;
  asked: string;
  enter(company: string, name: string): string;
  notYou: string;
  signedOut: string;
  link: string;
  /** Label of the link to the sign-in page. */
  signIn: string;
  missing: string;
  refusedTitle: string;
  /** Label of the link to the first page. */
  back: string;
}

export const commonMessages: Record<Language, CommonMessages> = {
  en: {
    skip: 'Skip to content',
    navigation: 'Pages',
    signOut: 'Sign out',
    email: 'E-mail address',
    send: 'Send me a link',
    emailFault: 'Please enter an e-mail address, such as name@company.example.',
    askedTitle: 'Check your inbox',
    again: 'Enter another address',
    enterTitle: 'Sign in',
    enterButton: 'Sign in',
    chooseProvider: 'Your organisation has its own sign-in service.',
    signInWith: (provider, company) => `Continue with ${provider} (${company})`,
    linkInstead: 'Send me a link by e-mail instead',
    byProvider: 'Continue with your organisation’s sign-in service',
    passkeyOnly: 'Your organisation requires a passkey for the console, so this link does not sign you in.',
    toSignIn: 'Sign in with your passkey',
    signedOutTitle: 'You are not signed in',
    linkTitle: 'This link does not work',
    staleTitle: 'This form is out of date',
    stale: 'You might have signed in again in another window. Open the page again, and send the form from there.',
    missingTitle: 'Page not found',
    notPermitted: 'Your role does not include this. An owner of your organisation’s programme can change your role.',
    refused: 'Please go back, open the page again, and try once more.',
    tooManyTitle: 'Too many attempts',
    tooMany: 'Please wait a minute, then try again.',
    unavailableTitle: 'Something is not working',
    unavailable: 'Please try again in a few minutes.',
  },
  de: {
    skip: 'Zum Inhalt springen',
    navigation: 'Seiten',
    signOut: 'Abmelden',
    email: 'E-Mail-Adresse',
    send: 'Link zusenden',
    emailFault: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@firma.example.',
    askedTitle: 'Sehen Sie in Ihr Postfach',
    again: 'Eine andere Adresse eingeben',
    enterTitle: 'Anmelden',
    enterButton: 'Anmelden',
    chooseProvider: 'Ihre Organisation hat einen eigenen Anmeldedienst.',
    signInWith: (provider, company) => `Weiter mit ${provider} (${company})`,
    linkInstead: 'Stattdessen einen Link per E-Mail senden',
    byProvider: 'Weiter mit dem Anmeldedienst Ihrer Organisation',
    passkeyOnly: 'Ihre Organisation verlangt für die Konsole einen Passkey, deshalb meldet dieser Link Sie nicht an.',
    toSignIn: 'Mit Ihrem Passkey anmelden',
    signedOutTitle: 'Sie sind nicht angemeldet',
    linkTitle: 'Dieser Link funktioniert nicht',
    staleTitle: 'Dieses Formular ist veraltet',
    stale:
      'Vielleicht haben Sie sich in einem anderen Fenster neu angemeldet. Öffnen Sie die Seite noch einmal, und senden Sie das Formular von dort.',
    missingTitle: 'Diese Seite gibt es nicht',
    notPermitted: 'Ihre Rolle erlaubt das nicht. Ein Inhaber des Programms Ihrer Organisation kann Ihre Rolle ändern.',
    refused: 'Bitte gehen Sie zurück, öffnen Sie die Seite neu und versuchen Sie es noch einmal.',
    tooManyTitle: 'Zu viele Versuche',
    tooMany: 'Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    unavailableTitle: 'Etwas funktioniert gerade nicht',
    unavailable: 'Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  },
  fr: {
    skip: 'Aller au contenu',
    navigation: 'Pages',
    signOut: 'Se déconnecter',
    email: 'Adresse e-mail',
    send: 'M’envoyer un lien',
    emailFault: 'Veuillez saisir une adresse e-mail, par exemple nom@societe.example.',
    askedTitle: 'Consultez votre messagerie',
    again: 'Saisir une autre adresse',
    enterTitle: 'Se connecter',
    enterButton: 'Se connecter',
    chooseProvider: 'Votre organisation a son propre service de connexion.',
    signInWith: (provider, company) => `Continuer avec ${provider} (${company})`,
    linkInstead: 'M’envoyer plutôt un lien par e-mail',
    byProvider: 'Continuer avec le service de connexion de votre organisation',
    passkeyOnly: 'Votre organisation exige une clé d’accès pour la console ; ce lien ne vous connecte donc pas.',
    toSignIn: 'Se connecter avec votre clé d’accès',
    signedOutTitle: 'Vous n’êtes pas connecté(e)',
    linkTitle: 'Ce lien ne fonctionne pas',
    staleTitle: 'Ce formulaire n’est plus à jour',
    stale:
      'Vous vous êtes peut-être reconnecté(e) dans une autre fenêtre. Rouvrez la page, et envoyez le formulaire depuis celle-ci.',
    missingTitle: 'Cette page n’existe pas',
    notPermitted:
      'Votre rôle ne le permet pas. Un propriétaire du programme de votre organisation peut modifier votre rôle.',
    refused: 'Veuillez revenir en arrière, rouvrir la page et réessayer.',
    tooManyTitle: 'Trop de tentatives',
    tooMany: 'Veuillez patienter une minute, puis réessayer.',
    unavailableTitle: 'Quelque chose ne fonctionne pas',
    unavailable: 'Veuillez réessayer dans quelques minutes.',
  },
};
