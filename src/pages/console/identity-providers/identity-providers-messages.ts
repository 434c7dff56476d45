import type { ErrorCode } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';

export interface IdentityProvidersMessages {
  title: string;
  passkeysTitle: string;
  passkeysAbout: string;
  passkeyRule: string;
  passkeyRules: Record<'optional' | 'required', string>;
  providersTitle: string;
  about: string;
  none: string;
  name: string;
  nameHint: string;
  issuer: string;
  issuerHint: string;
  clientId: string;
  clientSecret: string;
  secretHint: string;
  keepSecretHint: string;
  callbackUrl: string;
  consoleUrl: string;
  learnUrl: string;
  tested: string;
  never: string;
  admins: string;
  learners: string;
  uses: Record<'off' | 'optional' | 'required', string>;
  createsLearners: string;
  test(name: string): string;
  testShort: string;
  change(name: string): string;
  changeShort: string;
  remove(name: string): string;
  removeShort: string;
  protocols: Record<'oidc' | 'saml', string>;
  /** SAML's names for these. */
  saml: { issuer: string; clientId: string; callbackUrl: string };
  metadataUrl: string;
  metadataUrlHint: string;
  metadata: string;
  metadataHint: string;
  keepMetadataHint: string;
  certificatesExpireAt: string;
  removeSecret: string;
  claims: string;
  claimsHint: string;
  claim: Record<'email' | 'firstName' | 'lastName' | 'groups', string>;
  roles: string;
  rolesHint: string;
  group(number: number): string;
  roleOf(number: number): string;
  addTitle: string;
  addProtocol(protocol: string): string;
  add: string;
  changeTitle: string;
  save: string;
  removeTitle: string;
  removeAbout(name: string): string;
  removeButton: string;
  back: string;
  codes: Partial<Record<ErrorCode, string>>;
}

export const identityProvidersMessages: Record<Language, IdentityProvidersMessages> = {
  en: {
    title: 'Authentication',
    passkeysTitle: 'Passkeys of admins',
    passkeysAbout:
      'If passkeys are required, nobody can open the console with a mailed link. Admins without a passkey add one when they next sign in. An identity provider replaces the passkey.',
    passkeyRule: 'Sign-in to the console',
    passkeyRules: { optional: 'Mailed links and passkeys', required: 'Only passkeys' },
    providersTitle: 'Identity providers',
    about:
      'People can sign in with the identity provider of your organisation, such as Entra ID, Okta, Google Workspace or Keycloak. Add it here, register the redirect address there, test it, and switch it on.',
    none: 'There is no identity provider yet. People sign in with mailed links, and admins also with passkeys.',
    name: 'Name',
    nameHint: 'People see this name when they sign in.',
    issuer: 'Issuer',
    issuerHint: 'The provider’s issuer identifier: its https address, exactly as its configuration states it.',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    secretHint: 'Leave the field empty if the provider expects none.',
    keepSecretHint: 'Leave the field empty to keep the secret.',
    callbackUrl: 'Redirect address',
    consoleUrl: 'Sign-in of admins',
    learnUrl: 'Sign-in of learners',
    tested: 'Last tested',
    never: 'never',
    admins: 'Admins',
    learners: 'Learners',
    uses: { off: 'cannot use it', optional: 'can use it', required: 'must use it' },
    createsLearners: 'Create a learner when an unknown person signs in',
    test: (name) => `Test “${name}”`,
    testShort: 'Test',
    change: (name) => `Change “${name}”`,
    changeShort: 'Change',
    remove: (name) => `Remove “${name}”`,
    removeShort: 'Remove',
    protocols: { oidc: 'OpenID Connect', saml: 'SAML 2.0' },
    saml: {
      issuer: 'Entity ID of the provider',
      clientId: 'Our entity ID, the address of our metadata',
      callbackUrl: 'Assertion consumer service (ACS)',
    },
    metadataUrl: 'Address of the metadata',
    metadataUrlHint: 'The metadata is read there at each sign-in, so that new certificates apply at once.',
    metadata: 'Or the metadata itself',
    metadataHint: 'An XML document that you can export at the provider.',
    keepMetadataHint: 'Leave both fields empty to keep the metadata.',
    certificatesExpireAt: 'Last certificate expires',
    removeSecret: 'Remove the stored secret',
    claims: 'Claims',
    claimsHint: 'The names of the claims or attributes in which the provider reports a person.',
    claim: { email: 'E-mail address', firstName: 'First name', lastName: 'Last name', groups: 'Groups' },
    roles: 'Roles of admins by group',
    rolesHint:
      'At each sign-in, an admin gets the role of the first of these groups. Admins in none of them cannot sign in. Leave all groups empty to give roles under “Admins”.',
    group: (number) => `Group ${number}`,
    roleOf: (number) => `Role of group ${number}`,
    addTitle: 'Add an identity provider',
    addProtocol: (protocol) => `Add a provider that supports ${protocol}`,
    add: 'Add',
    changeTitle: 'Change the identity provider',
    save: 'Save',
    removeTitle: 'Remove the identity provider?',
    removeAbout: (name) => `Nobody can sign in with “${name}” afterwards. Open sessions continue.`,
    removeButton: 'Remove',
    back: 'Back to all identity providers',
    codes: {
      owner_passkey_missing: 'Nobody could sign in: an owner needs a passkey first. Add one under “Passkeys”.',
      identity_provider_untested: 'Please test the identity provider first.',
      identity_provider_in_use:
        'Please switch the identity provider off before you change the issuer or the client ID.',
      emergency_access_missing:
        'Somebody must still be able to sign in if the provider fails: please give an active owner with a passkey emergency access first, under “Admins”.',
      secrets_key_missing: 'The operator of the service has to set a key first, to encrypt client secrets.',
    },
  },
  de: {
    title: 'Authentifizierung',
    passkeysTitle: 'Passkeys der Administratoren',
    passkeysAbout:
      'Wenn Passkeys verlangt werden, öffnen zugesandte Links die Konsole für niemanden. Wer keinen Passkey hat, fügt bei der nächsten Anmeldung einen hinzu. Ein Identitätsanbieter ersetzt den Passkey.',
    passkeyRule: 'Anmeldung an der Konsole',
    passkeyRules: { optional: 'Zugesandte Links und Passkeys', required: 'Nur Passkeys' },
    providersTitle: 'Identitätsanbieter',
    about:
      'Personen können sich mit dem Identitätsanbieter Ihrer Organisation anmelden, zum Beispiel Entra ID, Okta, Google Workspace oder Keycloak. Fügen Sie ihn hier hinzu, tragen Sie dort die Weiterleitungsadresse ein, testen Sie ihn, und schalten Sie ihn ein.',
    none: 'Es gibt noch keinen Identitätsanbieter. Personen melden sich mit Links aus E-Mails an, Administratoren auch mit Passkeys.',
    name: 'Name',
    nameHint: 'Diesen Namen sehen Personen bei der Anmeldung.',
    issuer: 'Aussteller (Issuer)',
    issuerHint: 'Die https-Adresse, mit der sich der Anbieter selbst bezeichnet, genau wie in seiner Konfiguration.',
    clientId: 'Client-ID',
    clientSecret: 'Client-Geheimnis',
    secretHint: 'Lassen Sie das Feld leer, wenn der Anbieter keines erwartet.',
    keepSecretHint: 'Lassen Sie das Feld leer, um das Geheimnis zu behalten.',
    callbackUrl: 'Weiterleitungsadresse',
    consoleUrl: 'Anmeldung der Administratoren',
    learnUrl: 'Anmeldung der Lernenden',
    tested: 'Zuletzt getestet',
    never: 'nie',
    admins: 'Administratoren',
    learners: 'Lernende',
    uses: { off: 'können ihn nicht benutzen', optional: 'können ihn benutzen', required: 'müssen ihn benutzen' },
    createsLearners: 'Lernende anlegen, wenn sich unbekannte Personen anmelden',
    test: (name) => `„${name}“ testen`,
    testShort: 'Testen',
    change: (name) => `„${name}“ ändern`,
    changeShort: 'Ändern',
    remove: (name) => `„${name}“ entfernen`,
    removeShort: 'Entfernen',
    protocols: { oidc: 'OpenID Connect', saml: 'SAML 2.0' },
    saml: {
      issuer: 'Entity-ID des Anbieters',
      clientId: 'Unsere Entity-ID, zugleich die Adresse unserer Metadaten',
      callbackUrl: 'Assertion Consumer Service (ACS)',
    },
    metadataUrl: 'Adresse der Metadaten',
    metadataUrlHint: 'Die Metadaten werden dort bei jeder Anmeldung gelesen, damit neue Zertifikate sofort gelten.',
    metadata: 'Oder die Metadaten selbst',
    metadataHint: 'Ein XML-Dokument, das Sie beim Anbieter exportieren können.',
    keepMetadataHint: 'Lassen Sie beide Felder leer, um die Metadaten zu behalten.',
    certificatesExpireAt: 'Letztes Zertifikat läuft ab',
    removeSecret: 'Gespeichertes Geheimnis entfernen',
    claims: 'Claims',
    claimsHint: 'Die Namen, unter denen der Anbieter eine Person meldet.',
    claim: { email: 'E-Mail-Adresse', firstName: 'Vorname', lastName: 'Nachname', groups: 'Gruppen' },
    roles: 'Rollen von Administratoren nach Gruppe',
    rolesHint:
      'Bei jeder Anmeldung bekommt ein Administrator die Rolle der ersten dieser Gruppen. Wer in keiner ist, kann sich nicht anmelden. Lassen Sie alle Gruppen leer, um Rollen unter „Administratoren“ zu vergeben.',
    group: (number) => `Gruppe ${number}`,
    roleOf: (number) => `Rolle der Gruppe ${number}`,
    addTitle: 'Identitätsanbieter hinzufügen',
    addProtocol: (protocol) => `Anbieter mit ${protocol} hinzufügen`,
    add: 'Hinzufügen',
    changeTitle: 'Identitätsanbieter ändern',
    save: 'Speichern',
    removeTitle: 'Identitätsanbieter entfernen?',
    removeAbout: (name) => `Mit „${name}“ kann sich dann niemand mehr anmelden. Offene Sitzungen laufen weiter.`,
    removeButton: 'Entfernen',
    back: 'Zurück zu allen Identitätsanbietern',
    codes: {
      owner_passkey_missing:
        'Niemand könnte sich anmelden: Ein Inhaber braucht zuerst einen Passkey. Fügen Sie einen unter „Passkeys“ hinzu.',
      identity_provider_untested: 'Bitte testen Sie den Identitätsanbieter zuerst.',
      identity_provider_in_use:
        'Bitte schalten Sie den Identitätsanbieter aus, bevor Sie den Aussteller oder die Client-ID ändern.',
      emergency_access_missing:
        'Wenn der Anbieter ausfällt, muss sich noch jemand anmelden können: Bitte geben Sie zuerst einem aktiven Inhaber mit Passkey Notfallzugang, unter „Administratoren“.',
      secrets_key_missing: 'Der Betreiber des Dienstes muss zuerst einen Schlüssel für Client-Geheimnisse setzen.',
    },
  },
  fr: {
    title: 'Authentification',
    passkeysTitle: 'Clés d’accès des administrateurs',
    passkeysAbout:
      'Si les clés d’accès sont exigées, les liens envoyés n’ouvrent la console pour personne. Qui n’a pas de clé d’accès en ajoute une à la prochaine connexion. Un fournisseur d’identité remplace la clé d’accès.',
    passkeyRule: 'Connexion à la console',
    passkeyRules: { optional: 'Liens envoyés et clés d’accès', required: 'Clés d’accès uniquement' },
    providersTitle: 'Fournisseurs d’identité',
    about:
      'Les personnes peuvent se connecter avec le fournisseur d’identité de votre organisation, par exemple Entra ID, Okta, Google Workspace ou Keycloak. Ajoutez-le ici, enregistrez chez lui l’adresse de redirection, testez-le, puis activez-le.',
    none: 'Il n’y a pas encore de fournisseur d’identité. Les personnes se connectent par un lien reçu par e-mail, et les administrateurs aussi avec une clé d’accès.',
    name: 'Nom',
    nameHint: 'Les personnes voient ce nom lorsqu’elles se connectent.',
    issuer: 'Émetteur (issuer)',
    issuerHint: 'L’adresse https par laquelle le fournisseur se désigne, exactement comme dans sa configuration.',
    clientId: 'Identifiant client',
    clientSecret: 'Secret client',
    secretHint: 'Laissez ce champ vide si le fournisseur n’en attend pas.',
    keepSecretHint: 'Laissez ce champ vide pour conserver le secret.',
    callbackUrl: 'Adresse de redirection',
    consoleUrl: 'Connexion des administrateurs',
    learnUrl: 'Connexion des apprenants',
    tested: 'Dernier test',
    never: 'jamais',
    admins: 'Administrateurs',
    learners: 'Apprenants',
    uses: { off: 'ne peuvent pas l’utiliser', optional: 'peuvent l’utiliser', required: 'doivent l’utiliser' },
    createsLearners: 'Créer un apprenant lorsqu’une personne inconnue se connecte',
    test: (name) => `Tester « ${name} »`,
    testShort: 'Tester',
    change: (name) => `Modifier « ${name} »`,
    changeShort: 'Modifier',
    remove: (name) => `Retirer « ${name} »`,
    removeShort: 'Retirer',
    protocols: { oidc: 'OpenID Connect', saml: 'SAML 2.0' },
    saml: {
      issuer: 'Identifiant d’entité du fournisseur',
      clientId: 'Notre identifiant d’entité, adresse de nos métadonnées',
      callbackUrl: 'Service consommateur d’assertions (ACS)',
    },
    metadataUrl: 'Adresse des métadonnées',
    metadataUrlHint:
      'Les métadonnées y sont lues à chaque connexion, afin que les nouveaux certificats s’appliquent aussitôt.',
    metadata: 'Ou les métadonnées elles-mêmes',
    metadataHint: 'Un document XML que vous pouvez exporter chez le fournisseur.',
    keepMetadataHint: 'Laissez les deux champs vides pour conserver les métadonnées.',
    certificatesExpireAt: 'Expiration du dernier certificat',
    removeSecret: 'Supprimer le secret enregistré',
    claims: 'Claims',
    claimsHint: 'Les noms sous lesquels le fournisseur décrit une personne.',
    claim: { email: 'Adresse e-mail', firstName: 'Prénom', lastName: 'Nom', groups: 'Groupes' },
    roles: 'Rôles des administrateurs par groupe',
    rolesHint:
      'À chaque connexion, un administrateur reçoit le rôle du premier de ces groupes. S’il n’est dans aucun, il ne peut pas se connecter. Laissez tous les groupes vides pour attribuer les rôles sous « Administrateurs ».',
    group: (number) => `Groupe ${number}`,
    roleOf: (number) => `Rôle du groupe ${number}`,
    addTitle: 'Ajouter un fournisseur d’identité',
    addProtocol: (protocol) => `Ajouter un fournisseur qui prend en charge ${protocol}`,
    add: 'Ajouter',
    changeTitle: 'Modifier le fournisseur d’identité',
    save: 'Enregistrer',
    removeTitle: 'Retirer le fournisseur d’identité ?',
    removeAbout: (name) => `Plus personne ne pourra se connecter avec « ${name} ». Les sessions ouvertes continuent.`,
    removeButton: 'Retirer',
    back: 'Retour à tous les fournisseurs d’identité',
    codes: {
      owner_passkey_missing:
        'Personne ne pourrait se connecter : un propriétaire doit d’abord avoir une clé d’accès. Ajoutez-en une sous « Clés d’accès ».',
      identity_provider_untested: 'Veuillez d’abord tester le fournisseur d’identité.',
      identity_provider_in_use:
        'Veuillez désactiver le fournisseur d’identité avant de modifier l’émetteur ou l’identifiant client.',
      emergency_access_missing:
        'Quelqu’un doit pouvoir se connecter si le fournisseur est en panne : donnez d’abord un accès d’urgence à un propriétaire actif qui a une clé d’accès, sous « Administrateurs ».',
      secrets_key_missing: 'L’exploitant du service doit d’abord définir une clé pour chiffrer les secrets.',
    },
  },
};
