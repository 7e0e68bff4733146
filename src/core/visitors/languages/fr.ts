/** The sentences for visitors in French. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const fr: VisitorTexts = {
  failed:
    "Erreur de l’application : une erreur s’est produite sur cette page (plus d’informations dans la console du navigateur)",
  digest: "Code d’erreur",
  copy: "Copier",
  copied: "Copié",
  checkStatus: "Voir l’état de cette erreur",
  tryAgain: "Réessayer",
  homePage: "Aller à la page d’accueil",
  includeDigest:
    "Si vous signalez cette erreur, indiquez le code. Il désigne exactement cette erreur.",
  receipt: "Reçu pour l’erreur",
  knownTitle: "Nous en avons connaissance.",
  knownText:
    "L’erreur a été enregistrée et l’équipe de ce site peut la voir. Vous n’avez rien à faire.",
  pendingTitle: "Un correctif arrive.",
  pendingText:
    "Nous avons trouvé le problème et un correctif sera bientôt publié. D’ici là, l’erreur peut se reproduire.",
  fixedTitle: "L’erreur est corrigée.",
  fixedText:
    "Nous avons trouvé le problème et l’avons corrigé. Rechargez la page concernée. Si vous revoyez ce code, merci de nous le dire ci-dessous.",
  stepRecorded: "Enregistrée",
  stepInProgress: "En cours",
  stepFixed: "Corrigée",
  firstSeen: "Vue pour la première fois",
  seenThisWeek: "Vue cette semaine",
  unknownTitle: "Ce code n’est pas encore connu.",
  unknownText:
    "Si l’erreur vient de se produire, attendez une minute et rechargez cette page. Sinon, comparez le code avec celui qui vous a été montré : chaque caractère compte. Les anciennes erreurs sont supprimées au bout d’un certain temps.",
  waitTitle: "Un instant, s’il vous plaît.",
  waitText: "Trop de requêtes depuis votre réseau. Rechargez cette page dans une minute.",
  question: "Que faisiez-vous ?",
  questionHint: "Cela aide à trouver la cause. N’indiquez ni mot de passe ni numéro de carte.",
  send: "Envoyer",
  thanks: "Merci. Votre commentaire a été envoyé à l’équipe de ce site.",
  tooManyComments:
    "Commentaire non envoyé : trop de commentaires depuis votre réseau. Réessayez dans une minute.",
  badComment: "Commentaire non envoyé. Saisissez au moins 1 et au plus {max} caractères.",
  commentFailed:
    "Commentaire non envoyé à cause d’un problème passager. Votre texte est toujours là. Réessayez.",
  tell: "Prévenez-moi quand l’erreur sera corrigée",
  tellHint:
    "Saisissez votre adresse e-mail. Un message vous demande de la confirmer, un autre vous annonce la correction. Ensuite, l’adresse est supprimée.",
  tellAsked:
    "Si cette adresse peut recevoir des messages, un lien est en route. Ouvrez-le dans la journée.",
  tellConfirmed: "Vous recevrez un message quand l’erreur sera corrigée.",
  tellWithdraw: "Supprimer mon adresse",
  tellExpired: "Ce lien ne fonctionne plus.",
  tellFailed: "Cela n’a pas fonctionné. Vérifiez l’adresse ou réessayez demain.",
  mailAsk: "Ouvrez ce lien si vous voulez être prévenu quand l’erreur {digest} sera corrigée :",
  mailIgnore: "Si vous n’avez rien demandé, ignorez ce message.",
  mailFixed: "L’erreur {digest} est corrigée.",
  mailDeleted: "Votre adresse a été supprimée. Aucun autre message ne suivra.",
};
