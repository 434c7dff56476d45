import type { Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' });

export const fr: Wording = {
  greeting: (name) => `Bonjour ${name},`,
  adminInvite: ({ company, contact, setupUrl, expiresAt }) => ({
    subject: `Votre invitation à administrer la sensibilisation à la sécurité chez ${company}`,
    paragraphs: [
      `Vous êtes invité(e) à administrer le programme de sensibilisation à la sécurité chez ${company}.`,
      `Veuillez confirmer votre nom pour terminer la configuration. Le lien fonctionne une seule fois, jusqu’au ${date.format(expiresAt)} (UTC).`,
    ],
    action: { label: 'Terminer la configuration', url: setupUrl },
    footer: `Vous recevez ce message, car un membre de l’administration chez ${company} vous a invité(e). Si vous ne vous y attendiez pas, ignorez-le ou écrivez à ${contact}.`,
  }),
  signIn: ({ company, contact, signInUrl }) => ({
    subject: `Votre lien vers la formation à la sécurité chez ${company}`,
    paragraphs: [
      `Quelqu’un, probablement vous, a demandé un lien vers votre formation à la sécurité chez ${company}.`,
      'Il vous connecte sans mot de passe et fonctionne pendant une journée. Veuillez ne pas le transmettre.',
    ],
    action: { label: 'Accéder à ma formation', url: signInUrl },
    footer: `Si vous n’avez pas demandé ce lien, ignorez ce message. Des questions ? Écrivez à ${contact}.`,
  }),
  adminSignIn: ({ company, contact, signInUrl }) => ({
    subject: `Votre lien vers la console de ${company}`,
    paragraphs: [
      `Quelqu’un, probablement vous, a demandé un lien pour administrer le programme de sensibilisation à la sécurité de ${company}.`,
      'Il vous connecte sans mot de passe et fonctionne une fois, pendant 30 minutes. Veuillez ne pas le transmettre.',
    ],
    action: { label: 'Se connecter', url: signInUrl },
    footer: `Si vous n’avez pas demandé ce lien, ignorez ce message. Personne n’a été connecté. Des questions ? Écrivez à ${contact}.`,
  }),
  keepPasskeys: ({ company, contact, keepUrl }) => ({
    subject: `Garder vos clés d’accès pour la console de ${company}`,
    paragraphs: [
      `Votre adresse e-mail pour la console de ${company} a changé. Une personne connectée avec la nouvelle adresse souhaite garder les clés d’accès d’avant ce changement.`,
      'Si c’est vous, ouvrez le lien dans le navigateur où vous êtes connecté(e). Il fonctionne une fois, pendant une heure. Merci de ne pas le transmettre.',
    ],
    action: { label: 'Garder les clés d’accès', url: keepUrl },
    footer: `Si ce n’est pas vous, ignorez ce message : les clés d’accès prennent alors fin. Des questions ? Écrivez à ${contact}.`,
  }),
  course_enrollment: (company) => ({
    one: (name) => `Nouvelle formation pour vous : « ${name} »`,
    many: (count) => `Nouvelle formation pour vous : ${count} cours`,
    beforeOne: `${company} vous a inscrit(e) à ce cours de sensibilisation à la sécurité :`,
    beforeMany: `${company} vous a inscrit(e) à ces cours de sensibilisation à la sécurité :`,
    action: 'Accéder à ma formation',
  }),
  course_reminder: () => ({
    one: (name) => `Rappel : veuillez terminer « ${name} »`,
    many: (count) => `Rappel : veuillez terminer ${count} cours`,
    beforeOne: 'Voici le rappel d’un cours de sensibilisation à la sécurité que vous n’avez pas encore terminé :',
    beforeMany: 'Voici le rappel des cours de sensibilisation à la sécurité que vous n’avez pas encore terminés :',
    action: 'Accéder à ma formation',
  }),
  policy_request: (company) => ({
    one: (name) => `Veuillez lire et signer « ${name} »`,
    many: (count) => `Veuillez lire et signer ${count} politiques`,
    beforeOne: `${company} vous demande de lire et de signer cette politique :`,
    beforeMany: `${company} vous demande de lire et de signer ces politiques :`,
    action: 'Lire et signer',
  }),
  policy_reminder: () => ({
    one: (name) => `Rappel : veuillez signer « ${name} »`,
    many: (count) => `Rappel : veuillez signer ${count} politiques`,
    beforeOne: 'Voici le rappel d’une politique que vous n’avez pas encore signée :',
    beforeMany: 'Voici le rappel des politiques que vous n’avez pas encore signées :',
    action: 'Lire et signer',
  }),
  assignments_due: (company) => ({
    one: (name) => `À terminer : « ${name} »`,
    many: (count) => `À terminer : ${count} cours et politiques`,
    beforeOne: `${company} vous demande de terminer ce cours, ou de lire et de signer cette politique :`,
    beforeMany: `${company} vous demande de terminer ces cours, et de lire et de signer ces politiques :`,
    action: 'Accéder à ma formation',
  }),
  dueAssignment: ({ name, dueOn, isOverdue }) =>
    `« ${name} », ${isOverdue ? 'en retard depuis la fin du' : 'à terminer jusqu’au'} ${day.format(new Date(dueOn))}`,
  assignments_overdue: (company) => ({
    one: (name) => `En retard dans votre équipe : « ${name} »`,
    many: (count) => `En retard dans votre équipe : ${count} cours et politiques`,
    beforeOne: `Une personne de votre équipe chez ${company} n’a pas terminé ou signé ceci à temps :`,
    beforeMany: `Des personnes de votre équipe chez ${company} n’ont pas terminé ou signé ceci à temps :`,
    advice:
      'Veuillez le leur rappeler. Vous recevez ce message une fois par semaine tant que quelque chose est en retard.',
  }),
  overdueAssignment: ({ learnerName, name, dueOn }) =>
    `${learnerName} : « ${name} », à terminer avant la fin du ${day.format(new Date(dueOn))}`,
  moreOverdue: (count) => (count === 1 ? 'Et une autre.' : `Et ${count} autres.`),
  questionsTo: (name) => `Des questions à ce sujet ? Adressez-vous à ${name}.`,
  policy_receipt: (company) => ({
    one: (name) => `Votre reçu : vous avez signé « ${name} »`,
    many: (count) => `Votre reçu : vous avez signé ${count} politiques`,
    beforeOne: `Vous avez lu et signé cette politique (${company}) :`,
    beforeMany: `Vous avez lu et signé ces politiques (${company}) :`,
    action: 'Accéder à ma formation',
  }),
  receipt: ({ version, signed, sha256 }) =>
    `Version ${version}, signée le ${date.format(new Date(signed))} (UTC). SHA-256 du fichier : ${sha256}. Conservez ce message comme reçu. Si ce n’est pas vous qui avez signé, veuillez nous le dire immédiatement.`,
  signature_voided: (company) => ({
    one: (name) => `Votre signature de « ${name} » n’est plus valable`,
    many: (count) => `Vos signatures de ${count} politiques ne sont plus valables`,
    beforeOne: `${company} a annulé une signature que vous avez apposée sur cette politique :`,
    beforeMany: `${company} a annulé des signatures que vous avez apposées sur ces politiques :`,
    action: 'Accéder à ma formation',
  }),
  signature_restored: (company) => ({
    one: (name) => `Votre signature de « ${name} » est de nouveau valable`,
    many: (count) => `Vos signatures de ${count} politiques sont de nouveau valables`,
    beforeOne: `${company} a rétabli une signature que vous avez apposée sur cette politique. Notre message précédent à ce sujet ne s’applique plus :`,
    beforeMany: `${company} a rétabli des signatures que vous avez apposées sur ces politiques. Nos messages précédents à ce sujet ne s’appliquent plus :`,
    action: 'Accéder à ma formation',
  }),
  voidedSignature: ({ policyName, version, signed, isToSign }) =>
    `Votre signature de « ${policyName} », version ${version}, du ${date.format(new Date(signed))} (UTC) n’est plus valable. ${isToSign ? 'Veuillez lire et signer de nouveau la politique.' : 'Vous n’avez pas à signer de nouveau la politique.'}`,
  api_key_expiring: (company) => ({
    one: (name) => `Une clé d’API expire bientôt : ${name}`,
    many: (count) => `${count} clés d’API expirent bientôt`,
    beforeOne: `Cette clé d’API de ${company} cessera de fonctionner à la date indiquée :`,
    beforeMany: `Ces clés d’API de ${company} cesseront de fonctionner à la date indiquée :`,
    advice:
      'Ce qui utilise encore une de ces clés a besoin d’une nouvelle clé avant cette date. Les clés se renouvellent par l’API ou par votre opérateur.',
  }),
  api_key_leaked: (company) => ({
    one: (name) => `Une clé d’API a été divulguée et révoquée : ${name}`,
    many: (count) => `${count} clés d’API ont été divulguées et révoquées`,
    beforeOne: `Quelqu’un a trouvé et signalé cette clé d’API de ${company}. Elle a été révoquée à la date indiquée :`,
    beforeMany: `Quelqu’un a trouvé et signalé ces clés d’API de ${company}. Elles ont été révoquées à la date indiquée :`,
    advice:
      'Ce qui suit une flèche a été créé avec la clé et fonctionne encore : mettez-y fin si vous ne le connaissez pas. Ce qui utilisait une de ces clés a besoin d’une nouvelle clé. Cherchez où elle était visible, et lisez dans le journal d’audit à quoi elle a servi.',
  }),
  api_key_created: (company) => ({
    one: (name) => `Une nouvelle clé d’API : ${name}`,
    many: (count) => `${count} nouvelles clés d’API`,
    beforeOne: `Une personne qui en a le droit a créé cette clé d’API de ${company} :`,
    beforeMany: `Une personne qui en a le droit a créé ces clés d’API de ${company} :`,
    advice: 'Si aucun de vous ne l’attend, révoquez-la dans la console. Le journal d’audit indique qui l’a créée.',
  }),
  admin_added: (company) => ({
    one: (name) => `Un nouvel administrateur : ${name}`,
    many: (count) => `${count} nouveaux administrateurs`,
    beforeOne: `Cette personne a été invitée à administrer le programme de sensibilisation à la sécurité de ${company} :`,
    beforeMany: `Ces personnes ont été invitées à administrer le programme de sensibilisation à la sécurité de ${company} :`,
    advice: 'Si aucun de vous ne l’attend, supprimez cet accès. Le journal d’audit indique qui a envoyé l’invitation.',
  }),
  admin_address_changed: (company) => ({
    one: (name) => `Un administrateur a une autre adresse e-mail : ${name}`,
    many: (count) => `${count} administrateurs ont une autre adresse e-mail`,
    beforeOne: `Les liens vers la console de ${company} pour cet administrateur partent désormais à une autre adresse. Ses sessions ont pris fin. Ses clés d’accès ne fonctionnent à nouveau que si l’administrateur les confirme sous sept jours :`,
    beforeMany: `Les liens vers la console de ${company} pour ces administrateurs partent désormais à une autre adresse. Leurs sessions ont pris fin. Leurs clés d’accès ne fonctionnent à nouveau que si les administrateurs les confirment sous sept jours :`,
    advice: 'Si ce n’était pas voulu, rétablissez l’adresse. Le journal d’audit indique qui l’a modifiée.',
  }),
  admin_role_changed: (company) => ({
    one: (name) => `Les droits d’un administrateur ont changé : ${name}`,
    many: (count) => `Les droits de ${count} administrateurs ont changé`,
    beforeOne: `Cet administrateur de ${company} a désormais un autre rôle, ou son rôle donne plus de droits :`,
    beforeMany: `Ces administrateurs de ${company} ont désormais un autre rôle, ou leur rôle donne plus de droits :`,
    advice:
      'Si ce n’était pas voulu, modifiez le rôle dans la console, sous « Administrateurs ». Le journal d’audit indique qui l’a modifié.',
  }),
  certificate_expiring: (company) => ({
    one: (name) => `Un certificat de votre fournisseur d’identité expire bientôt : ${name}`,
    many: (count) => `Des certificats de ${count} fournisseurs d’identité expirent bientôt`,
    beforeOne: `Les certificats de ce fournisseur d’identité de ${company} enregistrés ici expirent à l’heure indiquée :`,
    beforeMany: `Les certificats de ces fournisseurs d’identité de ${company} enregistrés ici expirent aux heures indiquées :`,
    advice:
      'D’ici là, le fournisseur signera sans doute avec un nouveau certificat. Personne ne pourra se connecter avec celui-ci tant qu’il n’est pas enregistré ici : exportez les métadonnées actuelles chez le fournisseur et ajoutez-les dans la console, sous « Authentification ».',
  }),
  sign_in_settings_changed: (company) => ({
    one: (name) => `Les réglages de connexion ont changé : ${name}`,
    many: (count) => `Les réglages de ${count} fournisseurs d’identité ont changé`,
    beforeOne: `Ce fournisseur d’identité de ${company} a été ajouté, modifié ou supprimé :`,
    beforeMany: `Ces fournisseurs d’identité de ${company} ont été ajoutés, modifiés ou supprimés :`,
    advice:
      'Si personne d’entre vous n’a fait ce changement, vérifiez les réglages immédiatement. Le journal d’audit indique qui les a modifiés.',
  }),
  admin_passkeys_changed: (company) => ({
    one: (name) => `La règle sur les clés d’accès a changé : ${name}`,
    many: () => 'La règle sur les clés d’accès a changé',
    beforeOne: `Le réglage qui dit si les administrateurs de ${company} ont besoin d’une clé d’accès pour la console a changé :`,
    beforeMany: `Le réglage qui dit si les administrateurs de ${company} ont besoin d’une clé d’accès pour la console a changé :`,
    advice:
      'La console montre la règle sous « Authentification ». Si personne d’entre vous n’a fait ce changement, vérifiez les réglages immédiatement. Le journal d’audit indique qui les a modifiés.',
  }),
  admin_provisioning_changed: (company) => ({
    one: (name) => `L’attribution des administrateurs a changé : ${name}`,
    many: () => 'L’attribution des administrateurs a changé',
    beforeOne: `Le réglage qui définit les groupes de l’annuaire dont les membres administrent ${company} a été modifié :`,
    beforeMany: `Le réglage qui définit les groupes de l’annuaire dont les membres administrent ${company} a été modifié :`,
    advice:
      'Si personne d’entre vous n’a fait cela, vérifiez immédiatement les réglages. Le journal d’audit indique qui les a modifiés.',
  }),
  last_owner_kept: (company) => ({
    one: (name) => `Le dernier propriétaire reste administrateur : ${name}`,
    many: (count) => `${count} propriétaires restent administrateurs`,
    beforeOne: `L’annuaire aurait retiré le dernier propriétaire actif de ${company}, qui garde donc son rôle :`,
    beforeMany: `L’annuaire aurait retiré les derniers propriétaires actifs de ${company}, qui gardent donc leur rôle :`,
    advice:
      'Faites d’une autre personne un propriétaire dans l’annuaire. L’annuaire retirera ensuite celle-ci de lui-même.',
  }),
  emergency_sign_in: (company) => ({
    one: (name) => `Connexion sans fournisseur d’identité : ${name}`,
    many: (count) => `${count} connexions sans fournisseur d’identité`,
    beforeOne: `Cet administrateur de ${company} s’est connecté avec une clé d’accès, alors que le fournisseur d’identité est obligatoire :`,
    beforeMany: `Ces administrateurs de ${company} se sont connectés avec des clés d’accès, alors que le fournisseur d’identité est obligatoire :`,
    advice: 'S’il ne s’agissait pas d’une urgence, supprimez la clé d’accès dans la console.',
  }),
  passkey_added: (company) => ({
    one: (name) => `Une nouvelle clé d’accès : ${name}`,
    many: (count) => `${count} nouvelles clés d’accès`,
    beforeOne: `Cette clé d’accès ouvre désormais la console de ${company} :`,
    beforeMany: `Ces clés d’accès ouvrent désormais la console de ${company} :`,
    advice:
      'Si l’administrateur ne la reconnaît pas, retirez-la dans la console, parmi les clés d’accès de l’administrateur.',
  }),
  admin_new_network: (company) => ({
    one: () => `Une connexion depuis un nouveau réseau`,
    many: (count) => `${count} connexions depuis de nouveaux réseaux`,
    beforeOne: `Vous vous êtes connecté(e) à la console de ${company} depuis un réseau que vous n’aviez pas encore utilisé :`,
    beforeMany: `Vous vous êtes connecté(e) à la console de ${company} depuis des réseaux que vous n’aviez pas encore utilisés :`,
    advice:
      'Si ce n’était pas vous, sécurisez d’abord votre messagerie. Mettez ensuite fin à toutes vos sessions dans la console, sous « Clés d’accès », et vérifiez les clés d’API.',
  }),
  addressChanged: ({ company, contact }) => ({
    subject: `L’adresse e-mail de votre formation chez ${company} a été modifiée`,
    paragraphs: [
      `${company} a enregistré une autre adresse e-mail pour vous. Les liens vers votre formation à la sécurité y sont envoyés désormais, et non plus à cette adresse.`,
      'Si vous vous y attendiez, il n’y a rien à faire. Sinon, prévenez-nous immédiatement : la personne qui lit l’autre boîte peut suivre des formations et signer des politiques en votre nom.',
    ],
    footer: `Vous recevez ce message une seule fois, car c’était votre adresse jusqu’ici. Des questions ? Adressez-vous à ${contact}.`,
  }),
  webhook_failing: (company) => ({
    one: (name) => `Un webhook n’accepte aucun événement : ${name}`,
    many: (count) => `${count} webhooks n’acceptent aucun événement`,
    beforeOne: `Ce webhook de ${company} n’a accepté aucun événement depuis la date indiquée :`,
    beforeMany: `Ces webhooks de ${company} n’ont accepté aucun événement depuis la date indiquée :`,
    advice:
      'Les événements attendent et seront envoyés dès que le webhook répondra de nouveau avec succès. Après trois jours sans succès, il est désactivé.',
  }),
  webhook_disabled: (company) => ({
    one: (name) => `Un webhook a été désactivé : ${name}`,
    many: (count) => `${count} webhooks ont été désactivés`,
    beforeOne: `Ce webhook de ${company} ne reçoit plus d’événements. Il n’en a accepté aucun pendant trois jours, ou a répondu qu’il n’existe plus :`,
    beforeMany: `Ces webhooks de ${company} ne reçoivent plus d’événements. Ils n’en ont accepté aucun pendant trois jours, ou ont répondu qu’ils n’existent plus :`,
    advice:
      'Un webhook se réactive par l’API. Il reçoit alors les événements depuis son arrêt, ceux des 30 derniers jours au plus.',
  }),
  personalLink:
    'Ce lien est personnel et vous connecte sans mot de passe. Veuillez ne pas le transmettre. Il fonctionne pendant 14 jours.',
  trainingFooter: (company, contact) =>
    `Vous recevez ce message, car ${company} vous a inscrit(e) à son programme de sensibilisation à la sécurité. Des questions ? Écrivez à ${contact}.`,
  managerFooter: (company, contact) =>
    `Vous recevez ce message, car vous encadrez des personnes dans le programme de sensibilisation à la sécurité chez ${company}. Des questions ? Écrivez à ${contact}.`,
  adminFooter: (company, contact) =>
    `Vous recevez ce message, car vous administrez le programme de sensibilisation à la sécurité chez ${company}. Des questions ? Écrivez à ${contact}.`,
};
