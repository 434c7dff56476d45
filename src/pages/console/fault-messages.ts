import type { ErrorCode } from '../../contract/errors.ts';
import type { Language } from '../../contract/languages.ts';

/** Texts about a rejected form. */
export interface FaultMessages {
  /** Requirements of fields, by field name. */
  fields: Record<string, string>;
  codes: Partial<Record<ErrorCode, string>>;
  /** Text for all other error codes. */
  refused: string;
}

export const faultMessages: Record<Language, FaultMessages> = {
  en: {
    fields: {
      domain: 'Please enter a domain, such as example.com.',
      scannerNetworks: 'Please enter networks such as 198.51.100.0/24, one per line, at most a hundred.',
      issuer: 'Please enter the https address of the provider. It must not lead to a private network.',
      clientId: 'Please enter the ID without spaces.',
      metadata: 'This is not the metadata of a SAML provider with which people can sign in.',
      metadataUrl: 'This is not the https address of the metadata of a SAML provider.',
      createsLearners:
        'Your organisation must first be locked to its e-mail domain. Please ask the operator of the service.',
      claims: 'Please enter the names of the claims without spaces.',
      clientSecret: 'Please enter the secret without spaces.',
      name: 'Please enter a name of at most 200 ordinary characters.',
      firstName: 'Please enter a name of at most 200 ordinary characters, not a web address.',
      lastName: 'Please enter a name of at most 200 ordinary characters, not a web address.',
      email: 'Please enter an e-mail address, such as name@example.com.',
      expiresAt: 'Please choose a day in the future, or leave the field empty.',
      scopes: 'Please tick at least one box.',
      kind: 'Please choose one.',
      role: 'You cannot give this role, because it includes more than yours.',
    },
    codes: {
      emergency_access_missing:
        'While your organisation requires its identity provider, an active owner with a passkey must keep emergency access.',
      last_admin: 'Your organisation needs an active owner. Please make another admin an owner first.',
      admin_in_directory: 'The directory manages this admin. Please change the person or the groups there.',
      insufficient_scope: 'Your role does not include this, or the admin’s role includes more than yours.',
      email_taken: 'An admin already has this e-mail address. Please enter another.',
      email_domain_not_allowed: 'Your organisation accepts only admins with an e-mail address at its own domain.',
      api_key_limit_reached: 'Your organisation has reached its limit of keys. Please revoke one first.',
      secrets_key_missing:
        'This kind of source cannot be created yet: the operator of the service has to set a key to encrypt its secret.',
      rate_limited: 'That was too many requests in a short time. Please wait a while and try again.',
      idempotency_key_reused:
        'This form was already sent, with different content. Please reload the page and try again.',
      forbidden: 'Your organisation is not allowed to do this.',
      admin_already_active: 'This admin has already finished the setup.',
      admin_too_new:
        'You became an admin, were invited or changed your e-mail address less than a day before this simulation was scheduled, or later. Another admin has to approve it.',
      admin_same_mailbox:
        'An admin with the same mailbox as yours has already approved this simulation. Another admin must approve it.',
      approval_not_needed: 'This simulation is no longer waiting for approval.',
      simulation_ended: 'This simulation has already ended.',
      simulations_off: 'The operator of the service has not switched on simulations.',
    },
    refused: 'This was not done. Please check what you entered.',
  },
  de: {
    fields: {
      domain: 'Bitte geben Sie eine Domain ein, zum Beispiel example.com.',
      scannerNetworks: 'Bitte geben Sie Netze wie 198.51.100.0/24 ein, eines pro Zeile, höchstens hundert.',
      issuer: 'Bitte geben Sie die https-Adresse des Anbieters ein. Sie darf nicht in ein privates Netz führen.',
      clientId: 'Bitte geben Sie die ID ohne Leerzeichen ein.',
      metadata: 'Das sind keine Metadaten eines SAML-Anbieters, mit dem man sich anmelden kann.',
      metadataUrl: 'Das ist keine https-Adresse der Metadaten eines SAML-Anbieters.',
      createsLearners:
        'Ihre Organisation muss zuerst auf ihre E-Mail-Domain festgelegt sein. Bitte wenden Sie sich an den Betreiber des Dienstes.',
      claims: 'Bitte geben Sie die Namen der Claims ohne Leerzeichen ein.',
      clientSecret: 'Bitte geben Sie das Geheimnis ohne Leerzeichen ein.',
      name: 'Bitte geben Sie einen Namen aus höchstens 200 gewöhnlichen Zeichen ein.',
      firstName: 'Bitte geben Sie einen Namen aus höchstens 200 gewöhnlichen Zeichen ein, keine Internetadresse.',
      lastName: 'Bitte geben Sie einen Namen aus höchstens 200 gewöhnlichen Zeichen ein, keine Internetadresse.',
      email: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
      expiresAt: 'Bitte wählen Sie einen Tag in der Zukunft, oder lassen Sie das Feld leer.',
      scopes: 'Bitte wählen Sie mindestens eines aus.',
      kind: 'Bitte wählen Sie eine Art aus.',
      role: 'Diese Rolle können Sie nicht vergeben, weil sie mehr umfasst als Ihre.',
    },
    codes: {
      emergency_access_missing:
        'Solange Ihre Organisation ihren Identitätsanbieter verlangt, muss ein aktiver Inhaber mit Passkey den Notfallzugang behalten.',
      last_admin:
        'Ihre Organisation braucht einen aktiven Inhaber. Bitte machen Sie zuerst jemand anderen zum Inhaber.',
      admin_in_directory:
        'Über diesen Administrator entscheidet das Verzeichnis. Bitte ändern Sie dort die Person oder die Gruppen.',
      insufficient_scope: 'Ihre Rolle erlaubt das nicht, oder die Rolle des Administrators umfasst mehr als Ihre.',
      email_taken: 'Es gibt schon einen Administrator mit dieser Adresse.',
      email_domain_not_allowed: 'Ihre Organisation nimmt nur Administratoren mit Adressen der eigenen Domain.',
      api_key_limit_reached:
        'Ihre Organisation hat schon so viele Schlüssel, wie sie haben darf. Bitte widerrufen Sie zuerst einen.',
      secrets_key_missing:
        'Diese Art von Quelle lässt sich noch nicht anlegen: Der Betreiber des Dienstes muss erst einen Schlüssel für ihr Geheimnis setzen.',
      rate_limited: 'Das war zu viel in kurzer Zeit. Bitte warten Sie etwas und versuchen Sie es noch einmal.',
      idempotency_key_reused:
        'Dieses Formular wurde schon mit anderem Inhalt gesendet. Bitte laden Sie die Seite neu und versuchen Sie es noch einmal.',
      forbidden: 'Ihre Organisation darf das nicht.',
      admin_already_active: 'Dieser Administrator hat die Einrichtung schon abgeschlossen.',
    },
    refused: 'Das wurde nicht ausgeführt. Bitte prüfen Sie Ihre Eingaben.',
  },
  fr: {
    fields: {
      domain: 'Veuillez saisir un domaine, par exemple example.com.',
      scannerNetworks: 'Veuillez saisir des réseaux comme 198.51.100.0/24, un par ligne, cent au plus.',
      issuer: 'Veuillez saisir l’adresse https du fournisseur. Elle ne doit pas mener à un réseau privé.',
      clientId: 'Veuillez saisir l’identifiant sans espaces.',
      metadata: 'Ce ne sont pas les métadonnées d’un fournisseur SAML avec lequel on peut se connecter.',
      metadataUrl: 'Ce n’est pas l’adresse https des métadonnées d’un fournisseur SAML.',
      createsLearners:
        'Votre organisation doit d’abord être limitée à son domaine de messagerie. Veuillez vous adresser à l’exploitant du service.',
      claims: 'Veuillez saisir les noms des claims sans espaces.',
      clientSecret: 'Veuillez saisir le secret sans espaces.',
      name: 'Veuillez saisir un nom de 200 caractères ordinaires au plus.',
      firstName: 'Veuillez saisir un nom de 200 caractères ordinaires au plus, et non une adresse web.',
      lastName: 'Veuillez saisir un nom de 200 caractères ordinaires au plus, et non une adresse web.',
      email: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.',
      expiresAt: 'Veuillez choisir un jour à venir, ou laisser le champ vide.',
      scopes: 'Veuillez cocher au moins une case.',
      kind: 'Veuillez choisir un type.',
      role: 'Vous ne pouvez pas donner ce rôle, car il donne plus de droits que le vôtre.',
    },
    codes: {
      emergency_access_missing:
        'Tant que votre organisation exige son fournisseur d’identité, un propriétaire actif qui a une clé d’accès doit garder l’accès d’urgence.',
      last_admin:
        'Votre organisation a besoin d’un propriétaire actif. Veuillez d’abord désigner un autre propriétaire.',
      admin_in_directory: 'L’annuaire décide de cet administrateur. Veuillez y modifier la personne ou les groupes.',
      insufficient_scope:
        'Votre rôle ne le permet pas, ou le rôle de l’administrateur donne plus de droits que le vôtre.',
      email_taken: 'Un administrateur a déjà cette adresse.',
      email_domain_not_allowed:
        'Votre organisation n’accepte que des administrateurs dont l’adresse est de son propre domaine.',
      api_key_limit_reached:
        'Votre organisation a déjà autant de clés qu’elle peut en avoir. Veuillez d’abord en révoquer une.',
      secrets_key_missing:
        'Ce type de source ne peut pas encore être créé : l’exploitant du service doit d’abord définir une clé pour chiffrer son secret.',
      rate_limited: 'C’était trop en peu de temps. Veuillez patienter un peu, puis réessayer.',
      idempotency_key_reused:
        'Ce formulaire a déjà été envoyé avec un autre contenu. Veuillez recharger la page et réessayer.',
      forbidden: 'Votre organisation ne peut pas faire cela.',
      admin_already_active: 'Cet administrateur a déjà terminé la configuration.',
    },
    refused: 'Cela n’a pas été fait. Veuillez vérifier votre saisie.',
  },
};
